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
        // No status depends on where the caller stands.
        let current = await clients.current()
        let (connection, requester) = try clients.requester(of: context, in: current, presence: .background)
        return try connection.authorization.response(await reply(requester, problems.all(in: current)))
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

    /// A line with the statuses as they are, and another whenever they may have changed.
    private func changes(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (connection, requester) = try await clients.requester(of: context)
        let (lines, continuation) = AsyncStream.makeStream(
            of: AuthorizationReply.self, bufferingPolicy: .bufferingOldest(1024))
        let following = Task {
            let changes = await gate.changes()
            continuation.yield(await reply(requester))
            for await change in changes where concerns(change, requester) {
                if case .dropped = continuation.yield(await reply(requester)) { break }
            }
            continuation.finish()
        }
        connection.onClose { following.cancel() }
        return Response(lines: lines, ended: { following.cancel() })
    }

    private func concerns(_ change: AuthorizationChange, _ requester: Requester) -> Bool {
        guard let key = change.key else { return true }
        return key.user == requester.caller.user && key.client == requester.client.identifier
    }

    private func reply(_ requester: Requester) async -> AuthorizationReply {
        await reply(requester, problems.all())
    }

    private func reply(_ requester: Requester, _ problems: [String]) async -> AuthorizationReply {
        let statuses = await gate.statuses(for: requester)
        return AuthorizationReply(
            client: requester.client.identifier.rawValue, name: requester.client.displayName,
            speechRecognition: statuses.speechRecognition, microphone: statuses.microphone,
            problems: problems)
    }
}
