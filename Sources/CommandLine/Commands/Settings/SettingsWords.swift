import Authorization
import SocketAPI

/// What settings say about an entry, in words.
enum SettingsWords {
    /// How it stands, in a few words.
    static func standing(_ entry: SettingsEntry) -> String {
        if entry.restriction != nil { return "restricted by policy" }
        switch entry.verdict {
        case .denied: return "denied"
        case .authorized:
            let scope = entry.scope == .always ? "allowed always" : "allowed while using"
            return scope + (entry.fidelity == .reduced ? ", phrases only" : "")
        case nil: return entry.isAllowedOnce == true ? "allowed once, then asks" : "ask next time"
        }
    }

    /// The same in one word, for a narrow terminal.
    static func shortStanding(_ entry: SettingsEntry) -> String {
        if entry.restriction != nil { return "policy" }
        switch entry.verdict {
        case .denied: return "denied"
        case .authorized: return entry.scope == .always ? "always" : "using"
        case nil: return entry.isAllowedOnce == true ? "once" : "ask"
        }
    }

    static func resource(_ resource: Resource) -> String {
        switch resource {
        case .speechRecognition: "speech recognition"
        case .microphone: "microphone"
        }
    }

    static func indication(_ indication: Indication) -> String {
        switch indication {
        case .terminal: "at the terminal"
        case .agent: "at an agent's terminal"
        case .desktop: "on the desktop"
        case .scriptedAgent: "by a script"
        case .settings: "in settings"
        case .administrator: "by the administrator"
        }
    }

    /// Who else receives what the client gets, as it says; `nil` where there is no manifest to say anything.
    static func sharing(_ entry: SettingsEntry) -> String? {
        guard entry.usageDescription != nil || entry.recipients != nil else { return nil }
        guard let recipients = entry.recipients else { return "the client does not say" }
        return recipients.isEmpty
            ? "says that nothing is shared; voicegate run --no-network makes sure" : recipients.joined(separator: ", ")
    }

    /// What a person should know about an entry beside how it stands, each as a sentence.
    static func notes(_ entry: SettingsEntry) -> [String] {
        var notes: [String] = []
        if let reason = entry.restriction {
            notes.append("The administrator's policy forbids it" + (reason.isEmpty ? "." : ": \(reason)"))
        }
        if entry.isChanged == true {
            notes.append("Its program has changed since you allowed it; it may not be used until you allow it again.")
        }
        switch entry.question {
        case .upgradeToAlways:
            notes.append("It asked to be allowed always. Until you answer, it is allowed while you use it.")
        case .review: notes.append("It is allowed at any time. Is that still right?")
        case .firstUse, .identityChanged: notes.append("It asks you now, where it runs.")
        case .temporaryFullFidelity: notes.append("It asks you now for every word of one session.")
        case nil: break
        }
        return notes
    }
}
