import Authorization
import SocketAPI

extension VoiceGateClient {
    /// How this program stands, without asking anybody.
    public func authorization() async throws -> AuthorizationReply { try await answer(.GET, "/v1/authorization") }

    /// How this program stands now, and again with each change.
    public func authorizationChanges() async throws -> EventStream<AuthorizationReply> {
        try await stream(.GET, "/v1/authorization/changes")
    }

    /// Asks the person where they have not decided, and waits for the answer.
    ///
    /// - Parameters:
    ///   - resource: `nil` for both, speech recognition first.
    ///   - scope: `always` where the program also needs it without the person; they are asked for that later.
    /// - Throws: `ClientError` with `refused` for anything but a yes.
    public func requestAuthorization(
        _ resource: Resource? = nil, scope: Scope? = nil
    ) async throws -> AuthorizationReply {
        try await answer(.POST, "/v1/authorization/requests", AuthorizationRequest(resource: resource, scope: scope))
    }

    /// Asks the person for full fidelity for this process's next session.
    ///
    /// - Parameter purposeKey: a key of the manifest's dictionary of purposes; its text is shown.
    /// - Throws: `ClientError` with `refused` for anything but a yes.
    public func requestTemporaryFullFidelity(purposeKey: String) async throws -> AuthorizationReply {
        try await answer(
            .POST, "/v1/authorization/temporary-full-fidelity", TemporaryFidelityRequest(purposeKey: purposeKey))
    }

    /// The questions that this process may answer: those about its own requests. Must come from the process that asks,
    /// and must be listening (its first event) before it asks.
    public func prompts() async throws -> EventStream<PromptEvent> { try await stream(.GET, "/v1/prompts") }

    /// Answers a prompt that was shown to the person.
    public func answer(prompt cookie: String, _ answer: Answer) async throws {
        try await perform(.POST, "/v1/prompts/\(escaped(cookie))/answer", PromptAnswer(answer: answer))
    }
}
