import Authorization
import SocketAPI

/// The statuses as sentences, each with what to do next.
enum StatusText {
    static func lines(_ reply: AuthorizationReply, language: Language = .ofPerson) -> [String] {
        let wording = language.commandWording
        func sentence(
            _ status: AuthorizationStatus, _ resource: Resource, _ grant: AuthorizationReply.Grant?
        ) -> String {
            if status == .restricted, reply.muted { return wording.everythingMuted(command: "voicegate unmute") }
            return wording.sentence(
                for: status, resource, extent: grant.map { " (\(wording.extent($0)))" } ?? "",
                settings: "voicegate settings \(reply.client)")
        }
        var lines = ["\(reply.name) (\(reply.client))"]
        lines += TextTable.lines([
            [
                "  " + wording.speechRecognition,
                sentence(reply.speechRecognition, .speechRecognition, reply.speechRecognitionGrant),
            ],
            ["  " + wording.microphone, sentence(reply.microphone, .microphone, reply.microphoneGrant)],
        ])
        return lines + reply.problems.map(wording.problem)
    }

    static func lines(_ reply: IndicatorReply, language: Language = .ofPerson) -> [String] {
        let wording = language.commandWording
        let muted = reply.muted ? [wording.everythingMuted(command: "voicegate unmute")] : []
        let sessions = reply.sessions.map { session in wording.listener(session) { DayAndTime.text($0) } }
        let nothing = reply.sessions.contains(where: \.isRunning) ? [] : [wording.nothingListens]
        return muted + sessions + nothing
    }

    static func word(_ status: AuthorizationStatus, language: Language = .ofPerson) -> String {
        language.commandWording.word(for: status)
    }
}
