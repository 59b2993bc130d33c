import Authorization
import SocketAPI

/// The statuses as sentences, each with what to do next.
enum StatusText {
    static func lines(_ reply: AuthorizationReply) -> [String] {
        var lines = ["\(reply.name) (\(reply.client))"]
        if reply.muted { lines.insert("You have muted everything. To end that: voicegate unmute", at: 0) }
        lines += TextTable.lines([
            ["  Speech recognition", sentence(reply, reply.speechRecognition, .speechRecognition)],
            ["  Microphone", sentence(reply, reply.microphone, .microphone)],
        ])
        return lines + reply.problems.map { "Problem: \($0)" }
    }

    static func lines(_ reply: IndicatorReply) -> [String] {
        if reply.sessions.isEmpty { return ["Nothing listens now."] }
        return reply.sessions.map { session in
            let source = session.device.map { "listens on \($0)" } ?? "transcribes a file"
            return "\(session.name) (\(session.client), process \(session.processIdentifier)) \(source) since "
                + DayAndTime.text(session.startedAt)
        }
    }

    static func word(_ status: AuthorizationStatus) -> String {
        switch status {
        case .notDetermined: "not decided"
        case .restricted: "restricted"
        case .denied: "denied"
        case .authorized: "allowed"
        }
    }

    private static func sentence(
        _ reply: AuthorizationReply, _ status: AuthorizationStatus, _ resource: Resource
    ) -> String {
        let settings = "voicegate settings \(reply.client)"
        return switch status {
        case .authorized: "allowed. To take it back: \(settings) --deny \(resource.rawValue)"
        case .denied: "denied. To allow it: \(settings) --allow \(resource.rawValue)"
        case .restricted where reply.muted: "muted by you, for every program"
        case .restricted: "restricted by a policy of this machine's administrator"
        case .notDetermined: "not decided yet. To be asked now: voicegate request \(resource.rawValue)"
        }
    }
}
