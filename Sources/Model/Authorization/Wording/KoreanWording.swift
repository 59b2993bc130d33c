/// Names of clients are followed by a noun of ours, because a particle depends on the sound before it.
struct KoreanWording: Wording {
    func name(of resource: Resource) -> String {
        switch resource {
        case .speechRecognition: "음성 인식"
        case .microphone: "마이크"
        }
    }

    /// The resource as the object of a sentence.
    func object(_ resource: Resource) -> String {
        switch resource {
        case .speechRecognition: "음성 인식을"
        case .microphone: "마이크를"
        }
    }
}

extension KoreanWording {
    func title(_ question: Question, client: String, resource: Resource) -> String {
        let name = "‘\(client)’ 프로그램"
        let resource = object(resource)
        return switch question {
        case .firstUse:
            "\(name)이 \(resource) 사용하려고 합니다."
        case .identityChanged(let previous, let current):
            "\(name)이 \(resource) 사용하도록 허용한 뒤에 바뀌었습니다. 이전 프로그램: "
                + "\(DisplayText.cleaned(previous.path ?? "알 수 없음", limit: 100)) (\(previous.sha256.prefix(8))), 현재 프로그램: "
                + "\(DisplayText.cleaned(current.path ?? "알 수 없음", limit: 100)) (\(current.sha256.prefix(8)))"
        case .upgradeToAlways:
            "\(name)을 사용하지 않을 때에도 \(resource) 사용하도록 허용하시겠습니까?"
        case .review:
            "\(name)은 언제든지 \(resource) 사용할 수 있습니다. 그대로 두시겠습니까?"
        case .temporaryFullFidelity:
            "\(name)이 등록된 문구만이 아니라 이번 세션의 모든 말을 받으려고 합니다."
        }
    }

    func settingsTitle(client: String, resource: Resource) -> String { "‘\(client)’ 프로그램의 \(name(of: resource)) 사용" }

    var collected: String { "수집" }
    var purpose: String { "목적" }
    var kept: String { "보관" }
    var shared: String { "공유" }

    func name(of kind: DataKind) -> String {
        switch kind {
        case .liveAudio: "마이크 소리"
        case .transcript: "인식된 텍스트"
        case .recording: "녹음"
        case .voiceProfile: "목소리 특징 데이터"
        }
    }

    var listSeparator: String { ", " }
    var nothingIsKept: String { "아무것도 보관하지 않습니다" }
    var sharedWithNobody: String { "누구와도 공유하지 않습니다" }
    func sharedWith(_ recipients: String) -> String { "공유 대상: \(recipients)" }
    var sharingNotDeclared: String { "이 프로그램이 밝히지 않았습니다" }
    func name(ofProgram program: String, usedWith client: String) -> String { "\(program) (\(client) 경유)" }
}

extension KoreanWording {
    func name(of answer: Answer, among answers: AnswerSet) -> String {
        switch (answer, answers) {
        case (.whileInUse, .upgrade): "사용 중에만 허용 유지"
        case (.always, .upgrade): "항상 허용으로 변경"
        case (.always, .review): "항상 허용 유지"
        case (.whileInUse, .review): "사용 중에만 허용으로 변경"
        case (.once, .temporary): "이번 세션만 허용"
        case (.later, .temporary): "지금은 안 함"
        case (.whileInUse, _): "사용 중에만 허용"
        case (.once, _): "한 번만 허용"
        case (.always, _): "항상 허용"
        case (.deny, _): "허용 안 함"
        case (.later, _): "나중에"
        }
    }

    func outcome(of answer: Answer) -> String {
        switch answer {
        case .whileInUse: "사용 중에만 허용했습니다."
        case .once: "한 번만 허용했습니다."
        case .always: "항상 허용했습니다."
        case .deny: "허용하지 않았습니다."
        case .later: "지금은 허용하지 않았습니다. 다음에 다시 묻습니다."
        }
    }

    var noAnswer: String { "답이 없어 아무것도 허용하지 않습니다." }
}
