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
    private let gate: Gate
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

    init(gate: Gate, log: ConsentLog, mode: ServiceMode) {
        self.gate = gate
        self.log = log
        self.mode = mode
    }

    func add(to routes: Routes) {
        routes.on(.put, "mute", for: .client, use: mute)
        routes.on(
            .delete, "mute",
            for: .person(
                "What you muted is unmuted by you alone: voicegate unmute", inBackground: .onlyInForeground,
                isConfirmed: true),
            use: unmute)
    }

    private func mute(_ call: Call) async throws -> Response {
        // One record a mute, however often a program asks for it.
        let isMuted = await gate.isMuted
        let isWanted = last.state.withLock { state in
            guard !isMuted || state.isUnrecorded else { return false }
            // While it is being written another user may ask for the same: it stays the first one's.
            if !state.isUnrecorded { state.muter = call.user }
            state.isUnrecorded = true
            return true
        }
        if isWanted {
            try await gate.mute(by: call.requester.caller)
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

    private func unmute(_ call: Call) async throws -> Response {
        try await checkMuter(call.user)
        try await gate.unmute(by: call.requester.caller)
        last.state.withLock { $0 = LastMute.State() }
        return try Response(json: MuteReply(muted: await gate.isMuted))
    }
}
