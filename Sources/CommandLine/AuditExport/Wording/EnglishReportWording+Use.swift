extension EnglishReportWording {
    var nobodyListened: String { "Nobody listened." }
    var allPrograms: String { "All programs together" }

    func timelineIntro(_ unit: Timeline.Unit, _ tallest: String) -> String {
        let column =
            switch unit {
            case .hour: "an hour"
            case .day: "a day"
            case .week: "a week"
            case .month: "a month"
            case .year: "a year"
            }
        return
            "Each bar is \(column); the higher it is, the longer a program listened. The highest stands for \(tallest)."
    }

    var sameAsTable: String { "The same as a table" }
    var usageCaption: String { "How often and how long each program listened" }
    var latestSessions: String { "Latest sessions" }
    func use(_ times: Int, _ duration: String) -> String {
        times == 1 ? "once, \(duration)" : "\(count(times)) times, \(duration)"
    }
    func stripDescription(_ use: String, _ most: String) -> String { "Listened \(use). Most: \(most)." }
    func bar(_ label: String, _ use: String) -> String { "\(label): \(use)" }
    var soundFile: String { "a sound file" }

    func ending(_ reason: String) -> String {
        switch reason {
        case "ended": "by the program"
        case "silence": "silence"
        case "cancelled": "cancelled"
        case "revoked": "the yes was taken back"
        case "restricted": "forbidden by policy"
        case "muted": "muted"
        case "background": "went to the background"
        case "deviceLost": "the device was gone"
        case "failed": "a failure"
        case "disconnected": "the program was gone"
        case "serviceStopped": "the service was stopped"
        default: reason
        }
    }

    var neverListened: String { "It never listened." }
    func usedBetween(_ use: String, _ first: String, _ last: String) -> String {
        first == last ? "Listened \(use): \(first)." : "Listened \(use), first \(first), last \(last)."
    }
    func filesRead(_ count: Int) -> String {
        count == 1 ? "One of these was a sound file." : "\(self.count(count)) of these were sound files."
    }
    func refusedFor(_ reasons: String) -> String { "Refused: \(reasons)." }

    func refusal(_ code: String) -> String {
        switch code {
        case "notDetermined": "nobody had answered yet"
        case "denied": "the answer was no"
        case "restricted": "forbidden by policy"
        case "identityChanged": "the program had changed"
        case "missingUsageDescription", "missingPurpose": "it did not say why"
        case "noAnswer": "nobody answered"
        case "notInUse": "it was in the background"
        case "muted": "everything was muted"
        case "reducedFidelity": "only its phrases were allowed"
        case "untrusted": "it could not be trusted"
        case "tooManyRequests": "it asked too often"
        case "recordingFailed": "the log could not be written"
        default: code
        }
    }
}
