/// Asks the person. The gate asks through one agent and waits for it.
public protocol Agent: Sendable {
    /// Shows the prompt and returns the person's answer.
    ///
    /// Cancelled when nobody waits for the answer any more, or when the time to answer is over; the prompt must then be
    /// withdrawn. Any error means that the person did not answer: the request is refused and nothing is stored.
    func ask(_ prompt: Prompt) async throws -> AgentReply
}
