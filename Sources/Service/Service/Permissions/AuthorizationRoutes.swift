import Authorization
import Hummingbird
import SocketAPI

/// `GET /v1/authorization`, its changes, and requests that wait for the person.
struct AuthorizationRoutes {
    let clients: ClientResolver
    let gate: Gate
    let problems: ProblemBoard

    func add(to group: RouterGroup<ServiceContext>) {
        group.get("authorization", use: status)
        group.post("authorization/requests", use: request)
        group.post("authorization/temporary-full-fidelity", use: requestTemporaryFullFidelity)
        group.get("authorization/changes", use: changes)
    }

    private func status(_ request: Request, _ context: ServiceContext) async throws -> Response {
        // No status depends on where the caller stands.
        let current = try await clients.current(of: context)
        let (connection, requester) = try clients.requester(of: context, in: current, presence: .background)
        return try connection.authorization.response(await reply(requester, problems.all(in: current)))
    }

    private func request(_ request: Request, _ context: ServiceContext) async throws -> Response {
        // Where the caller stands is looked at when all of its request is there.
        let body = try await request.json(AuthorizationRequest.self)
        let (_, requester) = try await clients.requester(of: context)
        let outcome = try await outcome(body, requester)
        return try await answer(outcome, requester)
    }

    private func requestTemporaryFullFidelity(
        _ request: Request, _ context: ServiceContext
    ) async throws -> Response {
        let body = try await request.json(TemporaryFidelityRequest.self)
        let (_, requester) = try await clients.requester(of: context)
        return try await answer(
            await gate.requestTemporaryFullFidelity(purposeKey: body.purposeKey, for: requester), requester)
    }

    private func answer(_ outcome: AuthorizationOutcome, _ requester: Requester) async throws -> Response {
        if let refusal = outcome.refusal { throw RefusedOutcome(status: outcome.status, refusal: refusal) }
        return try Response(json: await reply(requester))
    }

    private func outcome(_ body: AuthorizationRequest, _ requester: Requester) async throws -> AuthorizationOutcome {
        switch (body.scope, body.resource) {
        case (.once, _):
            throw RouteError(.invalidValue, "Only the person chooses “once”. Ask for always, or leave the scope away.")
        case (.always, let resource):
            for resource in resource.map({ [$0] }) ?? [.speechRecognition, .microphone] {
                let outcome = await gate.requestAlways(resource, for: requester)
                guard outcome.refusal == nil else { return outcome }
            }
            return .authorized
        case (_, let resource?): return await gate.request(resource, for: requester)
        case (_, nil): return await gate.checkAndRequest(for: requester)
        }
    }

    /// Lines of `AuthorizationEvent`; `after` is the cursor of the last line that was read before.
    private func changes(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await clients.requester(of: context)
        var after: ChangeCursor?
        if let text = request.uri.queryParameters["after"] {
            guard let cursor = ChangeCursor(String(text)) else {
                throw RouteError(.invalidValue, "after is the cursor of an earlier line, word for word.")
            }
            after = cursor
        }
        // The end of the connection cancels the task that reads these.
        return Response(
            lines: AuthorizationEvents(gate: gate, requester: requester, after: after, problems: problems))
    }

    private func reply(_ requester: Requester) async -> AuthorizationReply {
        await reply(requester, problems.all(of: requester.caller.user))
    }

    private func reply(_ requester: Requester, _ problems: [String]) async -> AuthorizationReply {
        AuthorizationReply(requester, await gate.position(of: requester), problems: problems)
    }
}
