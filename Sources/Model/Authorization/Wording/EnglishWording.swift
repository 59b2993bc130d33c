struct EnglishWording: Wording {
    func name(of resource: Resource) -> String { resource.phrase }
}

extension EnglishWording {
    func title(_ question: Question, client: String, resource: Resource) -> String {
        let name = "“\(client)”"
        let resource = resource.phrase
        return switch question {
        case .firstUse:
            "\(name) would like to use \(resource)."
        case .identityChanged(let previous, let current):
            "\(name) has changed since you allowed it to use \(resource). It was "
                + "\(DisplayText.cleaned(previous.path ?? "an unknown program", limit: 100)) "
                + "(\(previous.sha256.prefix(8))); now it is "
                + "\(DisplayText.cleaned(current.path ?? "an unknown program", limit: 100)) "
                + "(\(current.sha256.prefix(8)))."
        case .upgradeToAlways:
            "Let \(name) use \(resource) also when you are not using it?"
        case .review:
            "\(name) may use \(resource) at any time. Keep it so?"
        case .temporaryFullFidelity:
            "\(name) would like to have every word for this session, not only its phrases."
        }
    }

    func settingsTitle(client: String, resource: Resource) -> String { "Use of \(resource.phrase) by “\(client)”" }

    var collected: String { "Collected" }
    var purpose: String { "Purpose" }
    var kept: String { "Kept" }
    var shared: String { "Shared" }

    func name(of kind: DataKind) -> String { kind.phrase }
    var listSeparator: String { ", " }
    var nothingIsKept: String { "nothing is kept" }
    var sharedWithNobody: String { "with nobody" }
    func sharedWith(_ recipients: String) -> String { "with \(recipients)" }
    var sharingNotDeclared: String { "the client does not say" }
    func name(ofProgram program: String, usedWith client: String) -> String { "\(program) (by way of \(client))" }
}

extension EnglishWording {
    func name(of answer: Answer, among answers: AnswerSet) -> String {
        switch (answer, answers) {
        case (.whileInUse, .upgrade): "Keep while using"
        case (.always, .upgrade): "Change to always"
        case (.always, .review): "Keep always"
        case (.whileInUse, .review): "Only while using"
        case (.once, .temporary): "For this session"
        case (.later, .temporary): "Not now"
        case (.whileInUse, _): "While using"
        case (.once, _): "Once"
        case (.always, _): "Always"
        case (.deny, _): "Don't allow"
        case (.later, _): "Later"
        }
    }

    func outcome(of answer: Answer) -> String {
        switch answer {
        case .whileInUse: "Allowed while using."
        case .once: "Allowed once."
        case .always: "Allowed always."
        case .deny: "Not allowed."
        case .later: "Not allowed now; you will be asked again."
        }
    }

    var noAnswer: String { "No answer; nothing is allowed." }
}
