import Authorization
import Hummingbird
import Prompting
import SocketAPI

/// `GET /v1/prompts` and the answers: the terminal as an agent.
///
/// A process may answer the prompts of its own requests, and only while it is the foreground job of a real terminal;
/// the answer is recorded as given at the terminal.
struct PromptRoutes {
    let clients: ClientResolver
    let board: PromptBoard

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("prompts", use: follow)
        group.post("prompts/:cookie/answer", use: answer)
    }

    private func follow(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (connection, requester) = try await answerer(context)
        let offers = await board.prompts(for: requester.caller.process)
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
        let (_, requester) = try await answerer(context)
        let body = try await request.json(PromptAnswer.self)
        let cookie = try context.parameters.require("cookie")
        try await board.answer(
            cookie: cookie, with: body.answer, fidelity: body.fidelity ?? .full, by: requester.caller.process)
        return Response(status: .noContent)
    }

    private func answerer(_ context: ServiceContext) async throws -> (Connection, Requester) {
        let (connection, requester) = try await clients.requester(of: context)
        guard connection.isForegroundJobOfTerminal() else {
            throw RouteError(
                .notAllowed,
                "Only the foreground job of a terminal can show a prompt. Run it at a terminal, or decide "
                    + "with: voicegate settings \(requester.client.identifier) --allow microphone")
        }
        guard clients.isCommandLine(requester) else {
            throw RouteError(.notAllowed, "Only VoiceGate's own command line may show prompts at a terminal.")
        }
        return (connection, requester)
    }
}
