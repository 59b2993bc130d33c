/// An answer and the way it came.
public struct AgentReply: Sendable, Hashable {
    public let answer: Answer
    public let indication: Indication

    public init(answer: Answer, indication: Indication) {
        self.answer = answer
        self.indication = indication
    }
}
