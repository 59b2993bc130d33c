struct JapaneseReportWording: ReportWording {
    func date(_ moment: LocalMoment) -> String { "\(moment.year)年\(moment.month)月\(moment.day)日" }

    func dateTime(_ moment: LocalMoment) -> String { "\(date(moment)) \(clock(moment))" }

    func label(_ moment: LocalMoment, _ unit: Timeline.Unit) -> String {
        switch unit {
        case .hour: dateTime(moment)
        case .day: date(moment)
        case .week: "\(date(moment))からの週"
        case .month: "\(moment.year)年\(moment.month)月"
        case .year: "\(moment.year)年"
        }
    }

    func duration(_ milliseconds: Int64) -> String {
        let (hours, minutes, seconds) = parts(milliseconds)
        if hours > 0 { return "\(count(Int(hours)))時間\(minutes)分" }
        if minutes > 0 { return seconds > 0 && minutes < 10 ? "\(minutes)分\(seconds)秒" : "\(minutes)分" }
        return "\(seconds)秒"
    }
}

extension JapaneseReportWording {
    var title: String { "だれが、いつ聞いていたか" }
    var skip: String { "本文へ" }
    var contents: String { "目次" }

    func name(of section: ReportSection) -> String {
        switch section {
        case .summary: "概要"
        case .timeline: "聞いていた時間"
        case .answers: "質問と回答"
        case .programs: "プログラムごと"
        case .keeping: "保存と消去"
        case .sharing: "共有"
        case .questions: "確認が必要なこと"
        case .proof: "証明されていること"
        case .appendix: "記録の種類"
        }
    }

    func footer(_ log: String) -> String {
        "VoiceGateが同意の記録 \(log) から作成しました。このページは何も読み込まず、何も実行しません。"
    }

    var emptyLog: String { "該当する記録はありません。" }
    func span(_ first: String, _ last: String) -> String { first == last ? first : "\(first) 〜 \(last)" }
    var coversName: String { "対象" }
    var madeName: String { "作成日時" }
    var timesName: String { "時刻の表示" }
    var everything: String { "すべての記録" }
    var onlyProgram: String { "次のプログラムのみ：" }
    var onlySubject: String { "次の人のみ：" }
    func since(_ moment: String) -> String { "\(moment)以降" }
    func until(_ moment: String) -> String { "\(moment)より前" }
    var unknownProgram: String { "名前が消去されたプログラム" }

    var timesListened: String { "聞いていた回数" }
    var listeningInAll: String { "聞いていた時間の合計" }
    var programsSeen: String { "プログラム" }
    var yesesAndNoes: String { "許可 / 不許可" }
    var itemsKept: String { "保存中" }
    var openQuestions: String { "確認が必要" }
    var nothingIsKeptNow: String { "現在、保存されているものはありません。" }
    func isKeptNow(_ count: Int) -> String { "現在、\(self.count(count))件が保存されています。" }
    var noQuestions: String { "確認が必要なことはありません。" }
    func someQuestions(_ count: Int) -> String { "確認が必要なことが\(self.count(count))件あります。" }

    func leftOut(_ count: Int, _ file: String) -> String {
        "ほかに\(self.count(count))件あります。すべてはバンドルの \(file) にあります。"
    }
    func morePrograms(_ count: Int) -> String {
        "ほかに\(self.count(count))個のプログラムがあります。すべてはバンドルの accesses.csv にあります。"
    }

    var whenColumn: String { "日時" }
    var programColumn: String { "プログラム" }
    var timesColumn: String { "回数" }
    var durationColumn: String { "長さ" }
    var deviceColumn: String { "入力" }
    var endedColumn: String { "終了の理由" }
    var sinceColumn: String { "保存開始" }
    var kindColumn: String { "内容" }
    var sizeColumn: String { "サイズ" }
    var untilColumn: String { "期限" }
    var whatColumn: String { "内容" }
    var whyColumn: String { "理由" }
    var declaredColumn: String { "プログラムの説明" }
    var enforcedColumn: String { "VoiceGateの確認" }
    var handedOnColumn: String { "渡した記録" }
    var kindNameColumn: String { "記録での名前" }
    var numberColumn: String { "件数" }
}
