import Authorization
import Hummingbird
import LinuxSystem
import Prompting
import SocketAPI

/// `GET /v1/prompts` and what is done with a prompt: how VoiceGate's own command line asks the person.
///
/// Without a query it shows the prompts of its own requests; with `agent=terminal` or `agent=desktop` those of all other
/// programs of its user. At a terminal it must be the foreground job.
struct PromptRoutes {
    let clients: ClientResolver
    let board: PromptBoard
    let confirmation: any Confirmation

    /// Who may answer which prompt.
    static func mayAnswer(_ answerer: Answerer, _ prompt: Prompt) -> Bool {
        answerer.mayAnswer(prompt) { ProcessLineage.areRelated($0, $1) }
    }

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("prompts", use: follow)
        group.post("prompts/:cookie/answer", use: answer)
        group.post("prompts/:cookie/attention", use: attend)
        group.post("prompts/:cookie/dismissal", use: dismiss)
    }

    private func follow(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (connection, requester) = try await person(context)
        let role = try role(request)
        guard role == .caller || clients.isPerson(requester) else {
            throw RouteError(.notAllowed, "An agent is started by the person, not by another program.")
        }
        let isPresent: @Sendable () -> Bool = {
            // Throws when the process has ended or runs another program.
            (try? connection.caller()) != nil && (role == .desktopAgent || connection.isForegroundJobOfTerminal())
        }
        guard isPresent() else {
            throw RouteError(
                .notAllowed,
                "Only the foreground job of a terminal can show a prompt. Run it at a terminal, or decide "
                    + "with: voicegate settings \(requester.client.identifier) --allow microphone")
        }
        let offers = await board.prompts(
            for: Answerer(
                process: requester.caller.process, user: requester.caller.user, role: role, isPresent: isPresent))
        let (lines, continuation) = AsyncStream.makeStream(of: PromptEvent.self)
        let following = Task {
            continuation.yield(.listening)
            for await event in offers {
                switch event {
                case .offered(let prompt): continuation.yield(.shown(SocketAPI.PromptOffer(prompt)))
                case .withdrawn(let cookie): continuation.yield(.withdrawn(cookie: cookie))
                }
            }
            continuation.finish()
        }
        connection.onClose { following.cancel() }
        return Response(lines: lines, ended: { following.cancel() })
    }

    private func answer(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await person(context)
        let body = try await request.json(PromptAnswer.self)
        let cookie = try context.parameters.require("cookie")
        let (process, fidelity) = (requester.caller.process, body.fidelity ?? .full)
        // First: what would not count must not bring up a question for a password.
        try await board.check(cookie: cookie, answer: body.answer, fidelity: fidelity, by: process)
        if body.answer.isYes {
            try await confirmation.confirm(.answer, by: requester.caller) {
                try? await board.attend(cookie: cookie, by: process)
            }
        }
        try await board.answer(cookie: cookie, with: body.answer, fidelity: fidelity, by: process)
        return Response(status: .noContent)
    }

    private func attend(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await person(context)
        try await board.attend(cookie: context.parameters.require("cookie"), by: requester.caller.process)
        return Response(status: .noContent)
    }

    private func dismiss(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await person(context)
        try await board.dismiss(cookie: context.parameters.require("cookie"), by: requester.caller.process)
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

    private func person(_ context: ServiceContext) async throws -> (Connection, Requester) {
        let (connection, requester) = try await clients.requester(of: context)
        guard clients.isCommandLine(requester) else {
            throw RouteError(.notAllowed, "Only VoiceGate's own command line may show and answer prompts.")
        }
        return (connection, requester)
    }
}
