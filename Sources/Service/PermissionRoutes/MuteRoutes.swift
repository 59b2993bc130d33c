import Authorization
import Hummingbird
import Server
import SocketAPI

/// `PUT /v1/mute` and `DELETE /v1/mute`. Any program may mute its user, which only removes access, so that a hot key can do it;
/// only the user ends that, by VoiceGate's own command. With several users, each mutes themselves; everyone is muted by root or
/// by a user at the machine's active seat, who shares a room with the microphone.
struct MuteRoutes {
    let gate: Gate
    let mode: ServiceMode

    func add(to routes: Routes) {
        routes.on(.put, "mute", for: .client.alwaysServed, use: mute)
        routes.on(
            .delete, "mute",
            for: .person("Only you can end a mute: voicegate unmute", inBackground: .onlyInForeground()),
            confirming: { .unmute(try scope($0).kind) }, use: unmute)
    }

    private func mute(_ call: Call) async throws -> Response {
        let scope = try scope(call)
        if scope == .everyone, call.user != 0 {
            guard call.requester.presence == .foreground, await call.connection.peer.isAtActiveSeat() else {
                throw RouteError(
                    .notAllowed,
                    "Only root, or a user in the foreground at the machine's active seat, may mute everyone. "
                        + "To mute your own programs: voicegate mute")
            }
        }
        let isMuted = try await UnrecordedRevocation.reporting {
            try await gate.mute(scope, by: call.requester.caller)
        }
        guard isMuted else {
            throw RouteError(
                .notAllowed,
                "Root has ended the mute of everyone, so until the service starts again only root may mute everyone. "
                    + "To mute your own programs: voicegate mute")
        }
        return try Response(json: MuteReply(await gate.mutes[scope], for: call.user))
    }

    private func unmute(_ call: Call) async throws -> Response {
        let scope = try scope(call)
        let (caller, isManager) = (call.requester.caller, mode.mayManage(call.user))
        guard try await gate.unmute(scope, by: caller, managing: isManager) else {
            throw RouteError(.notAllowed, "Another user muted everyone. That user, or root, may end it.")
        }
        // A log that could not be read has muted everyone, who is this user.
        if mode == .advisory { try await gate.unmute(.everyone, by: caller, managing: isManager) }
        // What is still in force.
        return try Response(json: MuteReply(await gate.mutes.covering(call.user), for: call.user))
    }

    /// A service of one user has no others to mute.
    private func scope(_ call: Call) throws -> MuteScope {
        let kind = try call.request.parameter("scope", "A scope is user or everyone.") { MuteScope.Kind(rawValue: $0) }
        return mode == .advisory ? .user(call.user) : MuteScope(kind ?? .user, by: call.user)
    }
}
