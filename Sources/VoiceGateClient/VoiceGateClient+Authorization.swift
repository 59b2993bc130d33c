import Authorization
import SocketAPI

extension VoiceGateClient {
    /// How this program stands, without asking anybody.
    public func authorization() async throws -> AuthorizationReply { try await answer(.GET, "/v1/authorization") }

    /// How this program stands now, and then each change, in order. `AuthorizationManager.changes` also connects again.
    ///
    /// - Parameter cursor: of the last event that was read before; the changes since come first, or a gap is told.
    public func authorizationChanges(after cursor: String? = nil) async throws -> EventStream<AuthorizationEvent> {
        let query = cursor.map { "?after=" + escaped($0) } ?? ""
        return try await stream(.GET, "/v1/authorization/changes" + query)
    }

    /// Asks the person where they have not decided, and waits for the answer.
    ///
    /// - Parameter resource: `nil` for both, speech recognition first.
    /// - Throws: `ClientError` with `refused` for anything but a yes.
    public func requestAuthorization(_ resource: Resource? = nil) async throws -> AuthorizationReply {
        try await answer(.POST, "/v1/authorization/requests", AuthorizationRequest(resource: resource))
    }

    /// The questions that this process may answer: those about its own requests. Must come from the process that asks,
    /// and must be listening (its first event) before it asks.
    public func prompts() async throws -> EventStream<PromptEvent> { try await stream(.GET, "/v1/prompts") }

    /// Answers a prompt that was shown to the person.
    public func answer(prompt cookie: String, _ answer: Answer) async throws {
        try await perform(.POST, "/v1/prompts/\(escaped(cookie))/answer", PromptAnswer(answer: answer))
    }
}
