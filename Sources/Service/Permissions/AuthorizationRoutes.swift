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
        let (connection, requester) = try await clients.requester(of: context, presence: .background)
        return try connection.authorization.response(await reply(requester))
    }

    private func request(_ request: Request, _ context: ServiceContext) async throws -> Response {
        let (_, requester) = try await clients.requester(of: context)
        let body = try await request.json(AuthorizationRequest.self)
        let outcome = try await outcome(body, requester)
        return try await answer(outcome, requester)
    }

    private func requestTemporaryFullFidelity(
        _ request: Request, _ context: ServiceContext
    ) async throws -> Response {
        let (_, requester) = try await clients.requester(of: context)
        let body = try await request.json(TemporaryFidelityRequest.self)
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
        let (speechRecognition, microphone) = await gate.standings(for: requester)
        return AuthorizationReply(
            client: requester.client.identifier.rawValue, name: requester.client.displayName(in: requester.language),
            speechRecognition: speechRecognition.status, microphone: microphone.status,
            speechRecognitionGrant: grant(speechRecognition.terms, fidelity: speechRecognition.terms?.fidelity),
            microphoneGrant: grant(microphone.terms, fidelity: nil), problems: await problems.all())
    }

    /// A provisional always is told as always, with its flag.
    private func grant(_ terms: Terms?, fidelity: Fidelity?) -> AuthorizationReply.Grant? {
        terms.map {
            AuthorizationReply.Grant(
                scope: $0.isProvisionalAlways ? .always : $0.scope, isProvisional: $0.isProvisionalAlways,
                fidelity: fidelity)
        }
    }
}
