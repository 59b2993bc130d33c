import Authorization
import SocketAPI

/// How prompts are shown and answered. Only VoiceGate's own command may do that.
extension VoiceGateClient {
    /// The questions that this process may answer. Without an agent those about its own requests: it must be listening
    /// (the first event) before it asks. An agent gets those of all other programs of its user.
    public func prompts(as agent: AgentKind? = nil) async throws -> EventStream<PromptEvent> {
        try await stream(.GET, "/v1/prompts" + (agent.map { "?agent=\($0.rawValue)" } ?? ""))
    }

    /// Answers a prompt that was shown to the person.
    ///
    /// - Parameters:
    ///   - cookie: of the prompt, from the event that it was shown with.
    ///   - answer: one of those that the prompt offers.
    ///   - fidelity: of a yes; less than `full` only where the prompt offers it.
    public func answer(prompt cookie: String, _ answer: Answer, fidelity: Fidelity? = nil) async throws {
        try await perform(
            .POST, "/v1/prompts/\(escaped(cookie))/answer", PromptAnswer(answer: answer, fidelity: fidelity))
    }

    /// The person is busy with the prompt, so its time to answer is put off.
    public func attend(prompt cookie: String) async throws {
        try await perform(.POST, "/v1/prompts/\(escaped(cookie))/attention")
    }

    /// The person left the prompt without an answer.
    public func dismiss(prompt cookie: String) async throws {
        try await perform(.POST, "/v1/prompts/\(escaped(cookie))/dismissal")
    }
}
