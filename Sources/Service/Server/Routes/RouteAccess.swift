import Authorization

/// Who may call a route, and how it is served. openapi.json has the same words as `x-caller`, and `heartbeat` as a parameter.
package struct RouteAccess: Sendable {
    enum Caller: String, Sendable {
        /// Any process that may connect; its client is not looked at.
        case process
        /// Any process, as the client that it is.
        case client
        /// VoiceGate's own command line, also when another program runs it.
        case commandLine
        /// VoiceGate's own command line that no other program runs, so that what it asks is the user's word.
        case person
        /// The program voicegate-sender beside the service, run by its own user in enforced mode.
        case sender
    }

    let caller: Caller
    private var refusal = ""
    /// `nil`: the process may be in the background.
    private var refusalInBackground: RouteError?
    /// The message for a user who may not do what concerns all users; `nil`: each user may.
    private var refusalToOthers: String?

    /// Whether the process's presence is read, which costs more than the rest; without it, it counts as in the background.
    private(set) var readsPresence = true
    /// Whether it is served when the user's connections are taken, too.
    private(set) var isAlwaysServed = false
    /// Whether its answer is a stream that may have a heartbeat; `heartbeat` in the query of any other route is ignored.
    private(set) var hasHeartbeat = false

    /// The same for a request that revokes, or that a command makes before one. It must be short.
    package var alwaysServed: RouteAccess {
        var access = self
        access.isAlwaysServed = true
        return access
    }

    /// The same for a stream with a heartbeat.
    package var streaming: RouteAccess {
        var access = self
        access.hasHeartbeat = true
        return access
    }

    package static let process = RouteAccess(caller: .process)
    package static let client = RouteAccess(caller: .client)
    package static let clientOfAnyPresence = RouteAccess(caller: .client, readsPresence: false)

    package static func commandLine(_ refusal: String) -> RouteAccess {
        RouteAccess(caller: .commandLine, refusal: refusal)
    }

    /// - Parameters:
    ///   - inBackground: the error for a user's command in the background; `nil`: it may be there. Root's may in enforced
    ///     mode: a server may have no user at a terminal.
    ///   - toOthers: the message for a user who may not do what concerns all users; `nil`: each user may.
    package static func person(
        _ refusal: String, inBackground: RouteError? = nil, toOthers: String? = nil
    ) -> RouteAccess {
        RouteAccess(
            caller: .person, refusal: refusal, refusalInBackground: inBackground, refusalToOthers: toOthers)
    }

    package static func sender(_ refusal: String) -> RouteAccess {
        RouteAccess(caller: .sender, refusal: refusal, readsPresence: false)
    }

    var words: [String] {
        [caller.rawValue] + (refusalInBackground == nil ? [] : ["foreground"]) + (hasHeartbeat ? ["heartbeat"] : [])
    }

    private func refusalToProgram(_ caller: Authorization.Caller) -> String {
        guard caller.responsible?.processIdentifier == 0 else {
            return "\(caller.executable.path) runs this command, and only you may. Run it yourself at a terminal."
        }
        return "The program that runs this command is not known, and only you may. Run it yourself at a terminal; in a "
            + "container that needs its own session, such as that of docker exec -it."
    }

    func check(_ call: Call, _ mode: ServiceMode) throws(RouteError) {
        switch caller {
        case .process, .client: break
        case .commandLine: guard call.isCommandLine else { throw RouteError(.notAllowed, refusal) }
        case .person:
            guard call.isPerson else {
                throw RouteError(.notAllowed, call.isCommandLine ? refusalToProgram(call.requester.caller) : refusal)
            }
        case .sender:
            guard call.clients.isSender(call.requester) else { throw RouteError(.notAllowed, refusal) }
        }
        let needsForeground = mode == .advisory || call.user != 0
        if let refusalInBackground, needsForeground, call.requester.presence != .foreground {
            throw refusalInBackground
        }
        if let refusalToOthers, !mode.mayManage(call.user) { throw RouteError(.notAllowed, refusalToOthers) }
    }
}
