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
        group.get("authorization/changes", use: changes)
    }

    private func status(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await clients.requester(of: context)
        return try Response(json: await reply(requester))
    }

    private func request(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await clients.requester(of: context)
        let body = try await request.json(AuthorizationRequest.self)
        let outcome =
            if let resource = body.resource {
                await gate.request(resource, for: requester)
            } else {
                await gate.checkAndRequest(for: requester)
            }
        if let refusal = outcome.refusal { throw RefusedOutcome(status: outcome.status, refusal: refusal) }
        return try Response(json: await reply(requester))
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
        AuthorizationReply(requester, await gate.position(of: requester), problems: await problems.all())
    }
}
