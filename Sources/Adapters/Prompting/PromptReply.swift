import Authorization

/// What a person chose at a prompt.
public struct PromptReply: Sendable, Hashable {
    public let answer: Answer
    /// Of a yes, where the prompt offers a choice.
    public let fidelity: Fidelity

    public init(_ answer: Answer, fidelity: Fidelity = .full) {
        self.answer = answer
        self.fidelity = fidelity
    }
}
