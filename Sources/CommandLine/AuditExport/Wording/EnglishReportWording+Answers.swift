import Authorization

extension EnglishReportWording {
    var nobodyAsked: String { "Nobody was asked, and nothing was decided." }
    var answersIntro: String {
        "Every answer, newest first. Each keeps the text that was on the screen when it was given."
    }
    var erasedValue: String { "erased" }
    var fieldsErased: String { "what it said was erased" }
    func about(_ program: Markup, _ resource: String) -> Markup { "\(program) · \(resource)" }

    func outcome(_ state: ConsentState, _ scope: Scope?) -> String {
        switch state {
        case .requested: "Asked"
        case .given:
            switch scope {
            case .once: "Allowed once"
            case .whileInUse: "Allowed while using"
            case .always: "Allowed always"
            case nil: "Allowed"
            }
        case .renewed: "Allowed again"
        case .refused: "Not allowed"
        case .deferred: "Not now"
        case .withdrawn: "Taken back"
        case .expired: "Expired"
        case .revoked: "Forbidden by the administrator"
        }
    }

    var carriedOver: String { "The program was updated and kept its yes" }
    var muted: String { "Everything was muted." }
    var unmuted: String { "The muting ended." }

    func way(_ indication: Indication) -> String {
        switch indication {
        case .terminal: "at the terminal"
        case .agent: "at an agent’s terminal"
        case .desktop: "on the desktop"
        case .scriptedAgent: "by a script"
        case .settings: "in settings"
        case .administrator: "by the administrator"
        }
    }

    func reason(_ reason: String) -> String {
        switch reason {
        case "unused": "unused for a long time"
        case "clockSetBack": "its age could not be told, because the clock was set back"
        default: reason
        }
    }

    func question(_ word: String) -> String? {
        switch word {
        case "identityChanged": "Asked because the program had changed."
        case "upgradeToAlways": "Asked because the program wants it always."
        case "review": "Asked to look at a lasting yes again."
        case "temporaryFullFidelity": "Asked for every word in one session."
        default: nil
        }
    }

    var whatWasShown: String { "What was shown" }

    var noPrograms: String { "No program asked for anything." }
    var standingTitle: String { "How it stands" }
    var fourItems: String { "What it says about data" }
    var neverAnswered: String { "No answer about it is in this report." }
    func asOf(_ outcome: String, _ date: String) -> String { "\(outcome), \(date)" }
    var noNotice: String { "No notice of it is in this report." }
    func asShown(_ record: Int) -> String { "As it was shown last, in record \(record)." }
}
