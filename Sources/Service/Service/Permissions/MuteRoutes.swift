import Authorization
import Consent
import Hummingbird
import SocketAPI
import Synchronization

/// `PUT /v1/mute` and `DELETE /v1/mute`. Any program may mute, which only removes access, so that a hot key can do it; only
/// the user ends a mute, by VoiceGate's own command. With several users a mute is for all of them: they share the microphone.
struct MuteRoutes {
    let gate: Gate
    let log: ConsentLog
    let mode: ServiceMode
    private let last = LastMute()

    private final class LastMute: Sendable {
        struct State {
            /// The user who muted; `nil`: before this service started, so that only the log has it.
            var muter: UInt32?
            /// The mute could not be recorded yet, so it would not survive the service.
            var isUnrecorded = false
            /// Mutes that the gate was asked for.
            var count: UInt64 = 0
        }

        let state = Mutex(State())
    }

    func add(to routes: Routes) {
        routes.on(.put, "mute", for: .client.alwaysServed, use: mute)
        routes.on(
            .delete, "mute",
            for: .person(
                "Only you can end a mute: voicegate unmute", inBackground: .onlyInForeground(),
                confirmed: .act(.unmute)),
            use: unmute)
    }

    private func mute(_ call: Call) async throws -> Response {
        // One record for each mute, however often programs request it.
        let staysMuted = await gate.staysMuted
        let isWanted = last.state.withLock { state in
            guard !staysMuted || state.isUnrecorded else { return false }
            // Another user's request while it is being recorded does not change who muted.
            if !state.isUnrecorded { state.muter = call.user }
            state.isUnrecorded = true
            state.count += 1
            return true
        }
        if isWanted {
            try await gate.mute(by: call.requester.caller)
            last.state.withLock { $0.isUnrecorded = false }
        }
        return try Response(json: MuteReply(muted: true))
    }

    /// With several users, only the user who muted may unmute.
    private func checkMuter(_ user: UInt32) async throws {
        guard !mode.mayManage(user), await gate.isMuted else { return }
        let isTheirs: Bool
        if let muter = last.state.withLock({ $0.muter }) {
            isTheirs = muter == user
        } else {
            isTheirs = try await log.lastRecord(of: .muted)?.fields["user"]?.integer == Int64(user)
        }
        guard isTheirs else {
            throw RouteError(.notAllowed, "Another user muted everything. That user, or root, may end it.")
        }
    }

    private func unmute(_ call: Call) async throws -> Response {
        try await checkMuter(call.user)
        let count = last.state.withLock { $0.count }
        try await gate.unmute(by: call.requester.caller)
        // A mute that came meanwhile overrides this, and may still be unrecorded.
        last.state.withLock { if $0.count == count { $0 = LastMute.State(count: count) } }
        return try Response(json: MuteReply(muted: await gate.isMuted))
    }
}
