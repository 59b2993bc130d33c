struct JapaneseWording: Wording {
    func name(of resource: Resource) -> String {
        switch resource {
        case .speechRecognition: "音声認識"
        case .microphone: "マイク"
        }
    }
}

extension JapaneseWording {
    func title(_ question: Question, client: String, resource: Resource) -> String {
        let name = "「\(client)」"
        let resource = self.name(of: resource)
        return switch question {
        case .firstUse:
            "\(name)が\(resource)の使用を求めています。"
        case .identityChanged(let previous, let current):
            "\(name)は、\(resource)の使用を許可したときから変わっています。以前のプログラム："
                + "\(DisplayText.cleaned(previous.path ?? "不明", limit: 100))（\(previous.sha256.prefix(8))）、現在のプログラム："
                + "\(DisplayText.cleaned(current.path ?? "不明", limit: 100))（\(current.sha256.prefix(8))）"
        case .upgradeToAlways:
            "\(name)を使用していないときも、\(resource)の使用を許可しますか？"
        case .review:
            "\(name)は\(resource)をいつでも使用できます。このままにしますか？"
        case .temporaryFullFidelity:
            "\(name)は、登録された語句だけでなく、今回のセッションのすべての言葉を求めています。"
        }
    }

    func settingsTitle(client: String, resource: Resource) -> String { "「\(client)」による\(name(of: resource))の使用" }

    var collected: String { "収集" }
    var purpose: String { "目的" }
    var kept: String { "保存" }
    var shared: String { "共有" }

    func name(of kind: DataKind) -> String {
        switch kind {
        case .liveAudio: "マイクの音声"
        case .transcript: "認識されたテキスト"
        case .recording: "録音"
        case .voiceProfile: "声の特徴データ"
        }
    }

    var listSeparator: String { "、" }
    var nothingIsKept: String { "何も保存されません" }
    var sharedWithNobody: String { "誰とも共有されません" }
    func sharedWith(_ recipients: String) -> String { "共有先：\(recipients)" }
    var sharingNotDeclared: String { "このプログラムは明らかにしていません" }
    func name(ofProgram program: String, usedWith client: String) -> String { "\(program)（\(client)を経由）" }
}

extension JapaneseWording {
    func name(of answer: Answer, among answers: AnswerSet) -> String {
        switch (answer, answers) {
        case (.whileInUse, .upgrade): "使用中のみ許可のままにする"
        case (.always, .upgrade): "常に許可に変更する"
        case (.always, .review): "常に許可のままにする"
        case (.whileInUse, .review): "使用中のみ許可に変更する"
        case (.once, .temporary): "今回のセッションだけ許可"
        case (.later, .temporary): "今はしない"
        case (.whileInUse, _): "使用中のみ許可"
        case (.once, _): "一度だけ許可"
        case (.always, _): "常に許可"
        case (.deny, _): "許可しない"
        case (.later, _): "後で"
        }
    }

    func outcome(of answer: Answer) -> String {
        switch answer {
        case .whileInUse: "使用中のみ許可しました。"
        case .once: "一度だけ許可しました。"
        case .always: "常に許可しました。"
        case .deny: "許可しませんでした。"
        case .later: "今回は許可しませんでした。次回もう一度たずねます。"
        }
    }

    var noAnswer: String { "回答がなかったため、何も許可されません。" }
}
