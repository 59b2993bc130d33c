import Authorization
import Consent
import Hummingbird
import SocketAPI
import Synchronization

/// `PUT /v1/mute` and `DELETE /v1/mute`: the person's switch for everything at once.
///
/// Any program of the person may mute: it takes something away from everybody alike, and a hot key must be able to.
/// Ending it is for VoiceGate's own command line. Where there are several users it holds for all of them: the microphone is
/// one, and so is the room that it is in.
struct MuteRoutes {
    let clients: ClientResolver
    let gate: Gate
    private let log: ConsentLog
    private let mode: ServiceMode
    private let last = LastMute()

    private final class LastMute: Sendable {
        struct State {
            /// Who put the mute in force that holds; `nil`: it was before this service began, and the log knows.
            var muter: UInt32?
            /// A mute that holds and could not be written down, so that it would not outlive the service.
            var isUnrecorded = false
        }

        let state = Mutex(State())
    }

    init(clients: ClientResolver, gate: Gate, log: ConsentLog, mode: ServiceMode) {
        self.clients = clients
        self.gate = gate
        self.log = log
        self.mode = mode
    }

    func add(to group: RouterGroup<ServiceContext>) {
        group.put("mute", use: mute)
        group.delete("mute", use: unmute)
    }

    private func mute(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await clients.requester(of: context)
        // One record a mute, however often a program asks for it.
        let isMuted = await gate.isMuted
        let isWanted = last.state.withLock { state in
            guard !isMuted || state.isUnrecorded else { return false }
            // While it is being written another user may ask for the same: it stays the first one's.
            if !state.isUnrecorded { state.muter = requester.caller.user }
            state.isUnrecorded = true
            return true
        }
        if isWanted {
            try await gate.mute(by: requester.caller)
            last.state.withLock { $0.isUnrecorded = false }
        }
        return try Response(json: MuteReply(muted: true))
    }

    /// Where a service serves several users, one of them may not lift what another one put in force.
    private func checkMuter(_ user: UInt32) async throws {
        guard !mode.mayManage(user), await gate.isMuted else { return }
        if let muter = last.state.withLock({ $0.muter }) {
            guard muter == user else { throw Self.notTheirs }
            return
        }
        guard try await log.lastRecord(of: .muted)?.fields["user"]?.integer == Int64(user) else {
            throw Self.notTheirs
        }
    }

    private static let notTheirs = RouteError(
        .notAllowed, "Another user muted everything. That user, or root, may end it.")

    private func unmute(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await clients.requester(of: context)
        guard clients.isPerson(requester) else {
            throw RouteError(.notAllowed, "What you muted is unmuted by you alone: voicegate unmute")
        }
        guard requester.presence == .foreground else { throw RouteError.onlyInForeground }
        try await checkMuter(requester.caller.user)
        try await gate.unmute(by: requester.caller)
        last.state.withLock { $0 = LastMute.State() }
        return try Response(json: MuteReply(muted: await gate.isMuted))
    }
}
