extension JapaneseReportWording {
    var nobodyListened: String { "聞いていたプログラムはありません。" }
    var allPrograms: String { "すべてのプログラムの合計" }

    func timelineIntro(_ unit: Timeline.Unit, _ tallest: String) -> String {
        let column =
            switch unit {
            case .hour: "1時間"
            case .day: "1日"
            case .week: "1週間"
            case .month: "1か月"
            case .year: "1年"
            }
        return "棒1本が\(column)を表し、高いほど長く聞いていました。最も高い棒は\(tallest)です。"
    }

    var sameAsTable: String { "同じ内容の表" }
    var usageCaption: String { "各プログラムが聞いていた回数と時間" }
    var latestSessions: String { "最近のセッション" }
    func use(_ times: Int, _ duration: String) -> String { "\(count(times))回、\(duration)" }
    func stripDescription(_ use: String, _ most: String) -> String { "聞いていたのは\(use)。最も長いのは、\(most)。" }
    func bar(_ label: String, _ use: String) -> String { "\(label)：\(use)" }
    var soundFile: String { "音声ファイル" }

    func ending(_ reason: String) -> String {
        switch reason {
        case "ended": "プログラムが終了"
        case "silence": "無音"
        case "cancelled": "中止"
        case "revoked": "許可の取り消し"
        case "restricted": "ポリシーによる禁止"
        case "muted": "ミュート"
        case "background": "バックグラウンドへ移動"
        case "deviceLost": "入力の切断"
        case "failed": "障害"
        case "disconnected": "プログラムの切断"
        case "serviceStopped": "サービスの停止"
        default: reason
        }
    }

    var neverListened: String { "一度も聞いていません。" }
    func usedBetween(_ use: String, _ first: String, _ last: String) -> String {
        first == last ? "\(use)（\(first)）。" : "\(use)。最初は\(first)、最後は\(last)。"
    }
    func filesRead(_ count: Int) -> String { "そのうち\(self.count(count))回は音声ファイルです。" }
    func refusedFor(_ reasons: String) -> String { "拒否：\(reasons)。" }

    func refusal(_ code: String) -> String {
        switch code {
        case "notDetermined": "まだ回答がない"
        case "denied": "許可されていない"
        case "restricted": "ポリシーによる禁止"
        case "identityChanged": "プログラムが変わった"
        case "missingUsageDescription", "missingPurpose": "理由の説明がない"
        case "noAnswer": "回答がなかった"
        case "notInUse": "バックグラウンドにあった"
        case "muted": "すべてミュート中"
        case "reducedFidelity": "登録された語句だけ許可"
        case "untrusted": "信頼できない"
        case "tooManyRequests": "要求が多すぎる"
        case "recordingFailed": "記録に書き込めない"
        default: code
        }
    }
}
