import Authorization
import Hummingbird
import Server
import SocketAPI
import Speech

/// `GET /v1/authorization`, its changes, and requests that wait for the user.
struct AuthorizationRoutes {
    let gate: Gate
    let problems: ProblemBoard
    let recognizer: any Recognizer

    func add(to routes: Routes) {
        // No status depends on the caller's presence.
        routes.on(.get, "authorization", for: .clientOfAnyPresence) { call in
            try Response(json: await reply(call, problems.all(in: call.catalog)))
        }
        routes.on(.post, "authorization/requests", for: .client, taking: AuthorizationRequest.self) { body, call in
            try await checkLanguage(body)
            return try await answer(try await refusal(body, call.requester), call)
        }
        routes.on(
            .post, "authorization/temporary-full-fidelity", for: .client, taking: TemporaryFidelityRequest.self
        ) { body, call in
            try await answer(
                await gate.requestTemporaryFullFidelity(purposeKey: body.purposeKey, for: call.requester), call)
        }
        routes.follow("authorization/changes", for: .client, use: changes)
    }

    private func answer(_ refusal: AuthorizationError?, _ call: Call) async throws -> Response {
        try refusal.check()
        return try Response(json: await reply(call, problems.all(of: call.user)))
    }

    private func checkLanguage(_ body: AuthorizationRequest) async throws {
        var recognition = RecognitionConfiguration(input: body.resource == .speechRecognition ? .file : .live)
        recognition.language = try body.language.flatMap(RecognitionConfiguration.language)
        try await recognizer.checkLanguage(of: recognition)
    }

    private func refusal(_ body: AuthorizationRequest, _ requester: Requester) async throws -> AuthorizationError? {
        switch (body.scope, body.resource) {
        case (.once, _):
            throw RouteError(.invalidValue, "Only the user chooses “once”. Request always, or omit the scope.")
        case (.always, let resource?): return await gate.requestAlways(resource, for: requester)
        case (_, let resource?): return await gate.request(resource, for: requester)
        case (let scope, nil): return await gate.checkAndRequest(for: requester, scope: scope ?? .whileInUse)
        }
    }

    /// Lines of `AuthorizationEvent`; `after` is the cursor of the last line that the client has read.
    private func changes(_ call: Call) async throws -> Response {
        let after = try call.request.parameter("after", "after is the unchanged cursor of an earlier line.") {
            ChangeCursor($0)
        }
        // The end of the connection cancels the task that reads these.
        return Response(
            lines: AuthorizationEvents(
                gate: gate, user: call.user, requester: { try? await call.requesterNow() }, after: after,
                problems: problems))
    }

    private func reply(_ call: Call, _ problems: [String]) async -> AuthorizationReply {
        AuthorizationReply(call.requester, await gate.permissions(ofUser: call.user), problems: problems)
    }
}

/// The lines for one reader, made as it reads them: for a slow reader only its cursor is kept. They end when the reader can no
/// longer be identified.
struct AuthorizationEvents: AsyncSequence, AsyncIteratorProtocol, Sendable {
    let gate: Gate
    let user: UInt32
    /// The reader as it is now, because its manifest and program may change; `nil`: it can no longer be identified.
    let requester: @Sendable () async -> Requester?
    /// The cursor it continues from.
    let after: ChangeCursor?
    let problems: ProblemBoard
    private(set) var cursor: ChangeCursor?
    private(set) var updates: [AuthorizationUpdate] = []
    private(set) var hasSentState = false

    func makeAsyncIterator() -> AuthorizationEvents { self }

    mutating func next() async -> AuthorizationEvent? {
        guard let cursor else { return await first() }
        if !hasSentState { return await state() }
        var position = cursor
        while true {
            while !updates.isEmpty {
                let update = updates.removeFirst()
                position = update.cursor
                self.cursor = position
                guard let requester = await requester() else { return nil }
                let standings = update.standings(for: requester)
                guard !standings.isEmpty else { continue }
                return .changed(
                    cursor: position.description, muted: update.mute != nil, changed: ResourceState.states(standings))
            }
            switch await gate.history.updates(ofUser: user, after: position) {
            case .updates(let next): updates = next
            case .gap:
                hasSentState = false
                return .gap
            case .cancelled: return nil
            }
        }
    }

    private mutating func first() async -> AuthorizationEvent? {
        guard let after else { return await state() }
        cursor = after
        guard gate.history.covers(after, ofUser: user) else { return .gap }
        hasSentState = true
        return .resumed(cursor: after.description)
    }

    private mutating func state() async -> AuthorizationEvent? {
        guard let requester = await requester() else { return nil }
        let permissions = await gate.permissions(ofUser: requester.caller.user)
        hasSentState = true
        cursor = permissions.cursor
        let problems = await problems.all(of: requester.caller.user)
        return .state(
            cursor: permissions.cursor.description, AuthorizationReply(requester, permissions, problems: problems),
            resources: ResourceState.states(permissions.standings(for: requester)))
    }
}
