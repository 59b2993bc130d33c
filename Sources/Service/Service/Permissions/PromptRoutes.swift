import Authorization
import Hummingbird
import LinuxSystem
import Prompting
import SocketAPI
import Synchronization

/// `GET /v1/prompts` and the calls on a prompt, by which VoiceGate's own command asks the user.
///
/// Without a query a command gets the prompts of its own requests; with `agent=terminal` or `agent=desktop` those of all
/// other programs of its user. At a terminal it must be the foreground job.
struct PromptRoutes {
    let board: PromptBoard
    let confirmation: Confirmation?

    static func mayAnswer(_ answerer: Answerer, _ prompt: Prompt) -> Bool {
        answerer.mayAnswer(
            prompt, areRelated: { ProcessLineage.areRelated($0, $1) },
            runsUnder: { ProcessLineage.descends($0, fromProgram: $1) })
    }

    func add(to routes: Routes) {
        let access = RouteAccess.commandLine("Only VoiceGate's own command line may show and answer prompts.")
        routes.follow("prompts", for: access, use: follow)
        routes.on(.post, "prompts/:cookie/answer", for: access, use: answer)
        routes.on(.post, "prompts/:cookie/attention", for: access) { call in
            try await board.attend(cookie: call.parameter("cookie"), by: call.requester.caller.process)
            return Response(status: .noContent)
        }
        routes.on(.post, "prompts/:cookie/dismissal", for: access) { call in
            try await board.dismiss(cookie: call.parameter("cookie"), by: call.requester.caller.process)
            return Response(status: .noContent)
        }
    }

    private func follow(_ call: Call) async throws -> Response {
        let (connection, requester) = (call.connection, call.requester)
        let role = try role(call.request)
        guard role == .caller || call.isPerson else {
            throw RouteError(.notAllowed, "Only the user can start an agent, not another program.")
        }
        let isPresent: @Sendable () -> Bool = {
            // Throws when the process has ended or runs another program. It must not wait here; an answer is checked in full.
            (try? connection.peer.recheckAtOnce()) != nil
                && (role == .desktopAgent || connection.peer.isForegroundJobOfTerminal)
        }
        guard isPresent() else {
            throw RouteError(
                .notAllowed,
                "Only the foreground job of a terminal can show a prompt. Run it at a terminal, or decide with: "
                    + (requester.isOnceAtMost
                        ? "voicegate settings"
                        : "voicegate settings \(requester.client.identifier) --allow microphone"))
        }
        let offers = await board.prompts(
            for: Answerer(
                process: requester.caller.process, user: requester.caller.user, role: role, isPresent: isPresent))
        // The end of the connection cancels the task that reads these, which disconnects the answerer.
        return Response(
            first: .listening,
            lines: offers.map { event -> PromptEvent in
                switch event {
                case .offered(let prompt): .shown(SocketAPI.PromptOffer(prompt))
                case .withdrawn(let cookie): .withdrawn(cookie: cookie)
                }
            })
    }

    private func answer(_ call: Call) async throws -> Response {
        let body = try await call.request.json(PromptAnswer.self)
        let (cookie, requester) = (try call.parameter("cookie"), call.requester)
        let (process, fidelity) = (requester.caller.process, body.fidelity ?? .full)
        // First: an answer that would not be accepted must not bring up a question for a password.
        let shown = try await board.check(cookie: cookie, answer: body.answer, fidelity: fidelity, by: process)
        var dialog: String?
        if let act = ConfirmedAct(body.answer, fidelity, to: shown) {
            dialog = try await confirmation?.confirm(act, in: requester.noticeLanguage, by: requester.caller) {
                try? await board.attend(cookie: cookie, by: process)
            }
        }
        let prompt = try await board.answer(
            cookie: cookie, with: body.answer, fidelity: fidelity, confirmation: dialog, by: process)
        // An answer that was confirmed to the user must survive a crash.
        guard try await prompt.settled() else { throw PromptBoard.unknown }
        return Response(status: .noContent)
    }

    private func role(_ request: Request) throws -> Answerer.Role {
        guard let word = request.uri.queryParameters["agent"] else { return .caller }
        switch AgentKind(rawValue: String(word)) {
        case .terminal: return .terminalAgent
        case .desktop: return .desktopAgent
        case nil: throw RouteError(.invalidValue, "An agent is terminal or desktop, not “\(word.prefix(40))”.")
        }
    }
}

/// Enforced mode: the user confirms with their password, in their own session, an answer or a change of settings that
/// permits more, so that no process makes it alone. Root does not confirm.
///
/// In advisory mode there is none: the user's other programs could confirm in their place.
struct Confirmation: Sendable {
    /// Users with a question. One at a time, so that no further one covers it, and polkit can ask other users.
    private static let asked = Mutex<Set<UInt32>>([])

    var authority = PolkitAuthority()

    /// - Parameters:
    ///   - language: of the dialog.
    ///   - whileWaiting: called every five seconds until the user is done.
    /// - Returns: what the dialog said; `nil` for root, who is not asked.
    /// - Throws: if the user does not confirm; `busy` while a different question of the user is open.
    @discardableResult
    func confirm(
        _ act: ConfirmedAct, in language: Language, by caller: Caller,
        whileWaiting: @escaping @Sendable () async -> Void = {}
    ) async throws -> String? {
        // polkit always allows root, and a server may have no polkit.
        guard caller.user != 0 else { return nil }
        guard Self.asked.withLock({ $0.insert(caller.user).inserted }) else {
            throw RouteError(.busy, "A question for your password is open already. Answer or close it, then try again.")
        }
        defer { _ = Self.asked.withLock { $0.remove(caller.user) } }
        let waiting = Task {
            while !Task.isCancelled {
                await whileWaiting()
                try await Task.sleep(for: .seconds(5))
            }
        }
        defer { waiting.cancel() }
        let text = act.text(in: language)
        try await authority.check(act, saying: text, of: caller)
        return text
    }
}
