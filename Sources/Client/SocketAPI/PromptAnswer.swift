import Authorization

/// `POST /v1/prompts/{cookie}/answer`; answered with 204.
public struct PromptAnswer: Sendable, Hashable, Codable {
    public var answer: Answer
    /// Of a yes, where the prompt offers it; default `full`.
    public var fidelity: Fidelity?

    public init(answer: Answer, fidelity: Fidelity? = nil) {
        self.answer = answer
        self.fidelity = fidelity
    }
}
