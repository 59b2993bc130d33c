import Authorization
import SocketAPI

/// The statuses as sentences, each with what to do next.
enum StatusText {
    static func lines(_ reply: AuthorizationReply) -> [String] {
        var lines = ["\(reply.name) (\(reply.client))"]
        lines += TextTable.lines([
            ["  Speech recognition", sentence(reply.speechRecognition, .speechRecognition, reply.client)],
            ["  Microphone", sentence(reply.microphone, .microphone, reply.client)],
        ])
        return lines + reply.problems.map { "Problem: \($0)" }
    }

    static func lines(_ reply: IndicatorReply) -> [String] {
        let muted = reply.muted ? ["Everything is muted. To end that: voicegate unmute"] : []
        let sessions = reply.sessions.map { session in session.sentence { DayAndTime.text($0) } }
        let nothing = reply.sessions.contains(where: \.isRunning) ? [] : ["Nothing listens now."]
        return muted + sessions + nothing
    }

    static func word(_ status: AuthorizationStatus) -> String {
        switch status {
        case .notDetermined: "not decided"
        case .restricted: "restricted"
        case .denied: "denied"
        case .authorized: "allowed"
        }
    }

    private static func sentence(_ status: AuthorizationStatus, _ resource: Resource, _ client: String) -> String {
        let settings = "voicegate settings \(client)"
        return switch status {
        case .authorized: "allowed. To take it back: \(settings) --deny \(resource.rawValue)"
        case .denied: "denied. To allow it: \(settings) --allow \(resource.rawValue)"
        case .restricted: "restricted by a policy of this machine's administrator"
        case .notDetermined: "not decided yet. To be asked now: voicegate request \(resource.rawValue)"
        }
    }
}
