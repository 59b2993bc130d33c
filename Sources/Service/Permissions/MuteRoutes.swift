import Authorization
import Hummingbird
import SocketAPI
import Synchronization

/// `PUT /v1/mute` and `DELETE /v1/mute`: the person's switch for everything at once.
///
/// Any program of the person may mute: it takes something away from everybody alike, and a hot key must be able to.
/// Ending it is for VoiceGate's own command line.
struct MuteRoutes {
    let clients: ClientResolver
    let gate: Gate
    /// A mute that holds and could not be written down, so that it would not outlive the service.
    private let unrecorded = Unrecorded()

    private final class Unrecorded: Sendable {
        let isUnrecorded = Mutex(false)
    }

    init(clients: ClientResolver, gate: Gate) {
        self.clients = clients
        self.gate = gate
    }

    func add(to group: RouterGroup<ServiceContext>) {
        group.put("mute", use: mute)
        group.delete("mute", use: unmute)
    }

    private func mute(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await clients.requester(of: context)
        // One record a mute, however often a program asks for it.
        if await !gate.isMuted || unrecorded.isUnrecorded.withLock({ $0 }) {
            unrecorded.isUnrecorded.withLock { $0 = true }
            try await gate.mute(by: requester.caller)
            unrecorded.isUnrecorded.withLock { $0 = false }
        }
        return try Response(json: MuteReply(muted: true))
    }

    private func unmute(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await clients.requester(of: context)
        guard clients.isPerson(requester) else {
            throw RouteError(.notAllowed, "What you muted is unmuted by you alone: voicegate unmute")
        }
        guard requester.presence == .foreground else { throw RouteError.onlyInForeground }
        try await gate.unmute(by: requester.caller)
        return try Response(json: MuteReply(muted: await gate.isMuted))
    }
}
