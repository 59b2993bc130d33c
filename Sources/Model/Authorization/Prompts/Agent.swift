/// Asks the person. The gate asks through one agent and waits for it.
public protocol Agent: Sendable {
    /// Whether there is somebody who could be shown the prompt. Asked before it is written down that it was shown.
    func canAsk(_ prompt: Prompt) async -> Bool

    /// Shows the prompt and returns the person's answer.
    ///
    /// Cancelled when nobody waits for the answer any more, or when the time to answer is over; the prompt must then be
    /// withdrawn. Any error means that the person did not answer: the request is refused and nothing is stored.
    func ask(_ prompt: Prompt) async throws -> AgentReply
}

extension Agent {
    public func canAsk(_ prompt: Prompt) async -> Bool { true }
}
