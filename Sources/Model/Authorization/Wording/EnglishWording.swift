import Foundation

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

extension EnglishWording {
    func name(of fidelity: Fidelity) -> String {
        switch fidelity {
        case .full: "every word"
        case .reduced: "only its phrases"
        }
    }
}

extension EnglishWording {
    func keptByService(_ kind: DataKind, _ time: KeepingTime) -> String {
        return
            "VoiceGate keeps \(kind.phrase) \(time.milliseconds == nil ? "" : "for ")\(retention(time)), encrypted, on this computer."
    }

    func retention(_ time: KeepingTime) -> String {
        switch time {
        case .limited(let count, let unit): duration(count, unit)
        case .untilWithdrawn: "until you take the permission back or erase it"
        }
    }

    var sentenceSeparator: String { " — " }

    func duration(_ count: Int, _ unit: KeepingUnit) -> String {
        let word =
            switch unit {
            case .years: "year"
            case .months: "month"
            case .weeks: "week"
            case .days: "day"
            case .hours: "hour"
            case .minutes: "minute"
            case .seconds: "second"
            }
        return "\(count) \(word)\(count == 1 ? "" : "s")"
    }
}

extension EnglishWording {
    func restricted(_ client: String, _ resource: Resource, reason: String?) -> String {
        "A policy of this machine's administrator does not let \(client) use \(resource.phrase)"
            + (reason.map { ": \($0)" } ?? ".")
    }

    func muted(_ client: String, _ resource: Resource, command: String) -> String {
        "You have muted everything, so \(client) may not use \(resource.phrase). To end that: \(command)"
    }

    func denied(_ client: String, _ resource: Resource, on day: DateComponents, command: String) -> String {
        let date = String(format: "%04d-%02d-%02d", day.year ?? 0, day.month ?? 0, day.day ?? 0)
        return "You did not allow \(client) to use \(resource.phrase) (\(date)). To change that: \(command)"
    }

    func identityChanged(_ client: String, _ resource: Resource, program: String, command: String) -> String {
        "The program \(program) has changed since you allowed \(client) to use \(resource.phrase). "
            + "To allow it as it is now: \(command)"
    }

    func inUseOnce(_ client: String, _ resource: Resource) -> String {
        "\(client) was allowed to use \(resource.phrase) for one session, and that one still runs. "
            + "End it, then ask again."
    }

    func notDetermined(_ client: String, _ resource: Resource, command: String) -> String {
        "\(client) has not been allowed to use \(resource.phrase) yet. "
            + "It asks when it is used at a terminal; to decide now: \(command)"
    }

    func notAskedInBackground(_ client: String, _ resource: Resource) -> String {
        "\(client) is in the background, so nobody is asked whether it may use \(resource.phrase). "
            + "Run it in the foreground of a terminal or of the desktop."
    }

    func alwaysNotConfirmed(_ client: String, _ resource: Resource, command: String) -> String {
        "\(client) asked to use \(resource.phrase) in the background, and you have not confirmed that yet. "
            + "To decide now: \(command)"
    }

    func onlyWhileInUse(_ client: String, _ resource: Resource, command: String) -> String {
        "\(client) may use \(resource.phrase) only while you use it, and it is in the background. Bring it to "
            + "the foreground, or let it: \(command)"
    }

    func notAnUpgrade(_ client: String, command: String) -> String {
        "Always is an upgrade of a yes while using, and \(client) has none. First: \(command)"
    }

    func alreadyFull(_ client: String) -> String { "\(client) has full fidelity already. Begin the session." }

    func missingPurpose(_ client: String, purposeKey: String) -> String {
        "The manifest of \(client) gives no text for the purpose “\(purposeKey)”, so the person cannot be told. "
            + "Add it to \(Manifest.purposesKey)."
    }

    func noManifest(key: String, place: String) -> String {
        "No manifest describes this program. Put an Info.plist with CFBundleExecutable and \(key) into "
            + "the clients folder (\(place))."
    }

    func missingUsageDescription(_ client: String, key: String) -> String {
        "The manifest of \(client) has no \(key), so the person cannot be told why it asks. Add it."
    }

    func noAnswer(_ client: String, _ resource: Resource, command: String) -> String {
        "Nobody answered whether \(client) may use \(resource.phrase), so it may not. "
            + "Ask again at a terminal, or decide with: \(command)"
    }

    var tooManyRequests: String {
        "Too many requests wait for an answer already. Answer those first, then try again."
    }

    func tooManyPrompts(_ client: String, seconds: Int64, command: String) -> String {
        "\(client) has asked again and again without a decision, so you are not asked before \(seconds) s are over. "
            + "Try again then, or decide now: \(command)"
    }

    var recordingFailed: String {
        "The consent log could not be written, and nothing is allowed that is not written down. "
            + "See the service's log; the disk may be full."
    }
}
