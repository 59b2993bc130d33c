import Authorization
import Hummingbird
import Prompting
import Server
import SocketAPI

/// `GET /v1/prompts` and the calls on a prompt, by which VoiceGate's own command asks the user.
///
/// Without a query a command gets the prompts of its own requests and of the program that runs it; with `agent=terminal` or `agent=desktop` those of all
/// other programs of its user. At a terminal it must be the foreground job.
struct PromptRoutes {
    let board: PromptBoard
    let confirmation: PasswordConfirmation?

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
        let offers = await board.prompts(for: try answerer(call))
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

    private func answerer(_ call: Call) throws -> Answerer {
        let (peer, requester) = (call.connection.peer, call.requester)
        let role = try role(call.request)
        guard role == .caller || call.isPerson else {
            throw RouteError(.notAllowed, "Only the user can start an agent, not another program.")
        }
        let answerer = Answerer(
            process: requester.caller.process, user: call.user, role: role, runner: requester.caller.responsible
        ) {
            // Throws when the process has ended or runs another program. It must not wait here; an answer is checked in full.
            (try? peer.recheckAtOnce()) != nil && (role == .desktopAgent || peer.isForegroundJobOfTerminal)
        }
        guard answerer.isPresent() else {
            throw RouteError(
                .notAllowed,
                "Only the foreground job of a terminal can show a prompt. Run it at a terminal, or decide with: "
                    + (requester.isOnceAtMost
                        ? "voicegate settings"
                        : "voicegate settings \(requester.client.identifier) --allow microphone"))
        }
        return answerer
    }

    private func answer(_ call: Call) async throws -> Response {
        let body = try await call.request.json(PromptAnswer.self)
        try await answer(body, to: try call.parameter("cookie"), by: call.requester)
        return Response(status: .noContent)
    }

    /// - Parameter requester: shows the prompt.
    func answer(_ body: PromptAnswer, to cookie: String, by requester: Requester) async throws {
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
