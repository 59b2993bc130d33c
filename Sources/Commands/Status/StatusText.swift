import Authorization
import SocketAPI

/// The statuses as sentences, each with what to do next.
enum StatusText {
    static func lines(_ reply: AuthorizationReply, language: Language = .ofPerson) -> [String] {
        let wording = language.commandWording
        func sentence(_ status: AuthorizationStatus, _ resource: Resource) -> String {
            wording.sentence(for: status, resource, settings: "voicegate settings \(reply.client)")
        }
        var lines = ["\(reply.name) (\(reply.client))"]
        lines += TextTable.lines([
            ["  " + wording.speechRecognition, sentence(reply.speechRecognition, .speechRecognition)],
            ["  " + wording.microphone, sentence(reply.microphone, .microphone)],
        ])
        return lines + reply.problems.map(wording.problem)
    }

    static func lines(_ reply: IndicatorReply) -> [String] {
        if reply.sessions.isEmpty { return ["Nothing listens now."] }
        return reply.sessions.map { session in
            let source = session.device.map { "listens on \($0)" } ?? "transcribes a file"
            return "\(session.name) (\(session.client), process \(session.processIdentifier)) \(source) since "
                + DayAndTime.text(session.startedAt)
        }
    }

    static func word(_ status: AuthorizationStatus, language: Language = .ofPerson) -> String {
        language.commandWording.word(for: status)
    }
}
