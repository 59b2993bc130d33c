import Authorization
import SocketAPI

/// The statuses as sentences, each with what to do next.
enum StatusText {
    static func lines(_ reply: AuthorizationReply) -> [String] {
        var lines = ["\(reply.name) (\(reply.client))"]
        lines += TextTable.lines([
            [
                "  Speech recognition",
                sentence(reply.speechRecognition, .speechRecognition, reply.client, reply.speechRecognitionGrant),
            ],
            ["  Microphone", sentence(reply.microphone, .microphone, reply.client, reply.microphoneGrant)],
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

    private static func sentence(
        _ status: AuthorizationStatus, _ resource: Resource, _ client: String, _ grant: AuthorizationReply.Grant?
    ) -> String {
        let settings = "voicegate settings \(client)"
        return switch status {
        case .authorized: "\(extent(grant)). To take it back: \(settings) --deny \(resource.rawValue)"
        case .denied: "denied. To allow it: \(settings) --allow \(resource.rawValue)"
        case .restricted: "restricted by a policy of this machine's administrator"
        case .notDetermined: "not decided yet. To be asked now: voicegate request \(resource.rawValue)"
        }
    }

    /// How far a yes reaches.
    private static func extent(_ grant: AuthorizationReply.Grant?) -> String {
        guard let grant else { return "allowed" }
        let scope =
            switch grant.scope {
            case .once: "allowed for one session"
            case .whileInUse: "allowed while in use"
            case .always: grant.isProvisional ? "allowed while in use (always asked for)" : "always allowed"
            }
        return grant.fidelity == .reduced ? scope + ", its phrases alone" : scope
    }
}
