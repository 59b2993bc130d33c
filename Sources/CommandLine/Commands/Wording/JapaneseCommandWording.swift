import Authorization
import Foundation
import SocketAPI
import Speech

struct JapaneseCommandWording: CommandWording {
    var speechRecognition: String { "音声認識" }
    var microphone: String { "マイク" }

    func sentence(for status: AuthorizationStatus, _ resource: Resource, extent: String, settings: String) -> String {
        switch status {
        case .authorized: "許可されています\(extent)"
        case .denied: "拒否されています。許可するには：\(settings) --allow \(resource.rawValue)"
        case .restricted: "管理者のポリシーで制限されています"
        case .notDetermined: "まだ決められていません。今すぐ決めるには：voicegate request \(resource.rawValue)"
        }
    }

    func extent(_ grant: AuthorizationReply.Grant) -> String {
        let scope =
            switch grant.scope {
            case .once: "今回の使用のみ"
            case .whileInUse: "使用中のみ"
            case .always: "常に"
            }
        return grant.fidelity == .reduced ? scope + "、登録した語句のみ" : scope
    }

    func callAsFunction(_ text: CommandText) -> String {
        switch text {
        case .problem(let text): "問題：\(text)"
        case .nothingDecided: "まだ何も決められていません。"
        case .toChange: "許可を変更するには：voicegate settings"
        case .toAllow(let command): "許可するには：\(command)"
        case .answerNotGiven(let reason): "回答を伝えられませんでした：\(reason)"
        case .startingService: "VoiceGate サービスを開始しています。"
        case .exporting(let count, let size, let percent): "書き出し中：\(count)件、\(size)件の\(percent)%まで読みました"
        case .recognizedBy(let engine): "音声はこの端末の\(engine)で認識されます。"
        case .rewritable(let count, let size):
            "ログの\(size)件のうち最後の\(count)件は、所有者が気づかれずに書き換えられます：voicegate doctor"
        case .logBeingVerified: "同意ログを検証しています。許可は検証が終わってから有効になります。"
        case .everythingMuted(let mute):
            (mute?.scope == .everyone ? "全ユーザーについて、" : "") + (mute?.program.map { "\($0)により" } ?? "")
                + "すべてがミュートされています。解除するには：\(MutedBy.command(ending: mute))"
        case .usedSince(let time): "\(time) 以降："
        case .nothingListens: "今は何も聞き取っていません。"
        case .listening(let device): "\(device) で聞き取っています。Ctrl-C で終了します。"
        case .notListening: "今は聞き取っていません。"
        case .pausedInBackground: "バックグラウンドでは聞き取りません。話した内容は破棄されます。fg で戻ります。"
        case .listeningAgain(let device): "\(device) で再び聞き取っています。"
        case .waiting(let device): "\(device) が切断されました。戻るまで待ちます。Ctrl-C で終了します。"
        case .lostSound(let milliseconds): "コンピュータの負荷が高すぎたため、\(milliseconds)ミリ秒の音声が失われました。"
        case .tooNoisy(let decibels): "雑音が大きく、文字は不確かです。声と雑音の差は\(decibels) dBで、20 dBほど必要です。マイクに近づいてください。"
        }
    }

    func reset(_ client: String?, _ resource: Resource?) -> String {
        let what = resource.map(Language.japanese.wording.name(of:)) ?? "音声認識とマイク"
        return "\(client ?? "すべてのプログラム")による\(what)の使用について、次回もう一度たずねます。"
    }

    func transcribing(
        _ file: String, part: (number: Int, count: Int)?, done: String, percent: Int?, left: String?
    ) -> String {
        let progress = percent.map { "\($0)%" } ?? "\(done)まで完了"
        return (part.map { "\($0.number)/\($0.count)件目 " } ?? "") + "\(file)：\(progress)"
            + (left.map { "、残り\($0)" } ?? "")
    }

    func listener(_ session: IndicatorReply.Session, time: (Date) -> String) -> String {
        var name = "\(session.name)（\(session.client)、プロセス \(session.processIdentifier)）"
        if let phrases = session.quotedPhrases {
            name = "VoiceGate（\(session.name)、\(session.client) のため、“\(phrases)” を待機）"
        }
        if session.isOfPerson { name = "VoiceGate（\(session.name)、\(session.client) を始めるため、あなたを待機）" }
        let device = session.device ?? "マイク"
        let activity =
            switch session.activity {
            case .listening: "\(device) で聞き取っています"
            case .paused: "\(device) での聞き取りを一時停止しています"
            case .held: "終了しましたが、\(device) が閉じません"
            case .transcribing: "ファイルを書き起こしています"
            case .listened: "\(device) で聞き取っていました"
            case .transcribed: "ファイルを書き起こしていました"
            }
        if let endedAt = session.endedAt {
            return "\(name)：\(activity)（\(time(endedAt)) まで\(Self.text(session.sharing))）"
        }
        let place = session.presence == .background ? "、バックグラウンド" : ""
        let recognizer = session.recognizer.map { "、認識：\($0)" } ?? ""
        return "\(name)：\(activity)（\(time(session.startedAt)) から\(place)\(recognizer)\(Self.text(session.sharing))）"
    }

    private static func text(_ sharing: Sharing?) -> String {
        switch sharing {
        case .verified: "、ネットワークなし（確認済み）"
        case .declared: "、誰とも共有しないと申告"
        case .shared, .undeclared, nil: ""
        }
    }

    func sentence(
        for ending: DictationEnding, on device: String, reason: String?, settings: String, mute: MutedBy?,
        silence: Double?
    ) -> String? {
        switch ending {
        case .ended: reason
        case .silence: (silence.map { "無音が\($0.formatted())秒" } ?? "無音が") + "続いたため終了しました。"
        case .cancelled: "中止しました。書き終えていない文は破棄されました。"
        case .revoked: "許可が取り消されたため終了しました。再び許可するには：\(settings)"
        case .restricted: "管理者のポリシーで禁止されたため終了しました。"
        case .muted: "すべてがミュートされたため終了しました。解除するには：\(MutedBy.command(ending: mute))"
        case .background: "一度だけの許可はバックグラウンドで終わったため終了しました。もう一度始めると、再びたずねます。"
        case .deviceLost:
            "\(reason ?? "\(device) が切断されました。")接続してからもう一度始めてください。--wait-for-device を付けると待ちます。"
        case .failed:
            reason ?? "認識エンジンまたは \(device) に問題が起きました。サービスのログを確認して、もう一度お試しください。"
        case .disconnected: "サービスとの接続が切れました。もう一度お試しください。"
        case .clientStalled: reason ?? "このコマンドがイベントを時間内に読み取りませんでした。もう一度始めてください。"
        case .serviceStalled: reason ?? "認識エンジンが時間内に応答しませんでした。もう一度お試しください。"
        case .serviceStopped: reason ?? "サービスが停止されました。"
        }
    }
}
