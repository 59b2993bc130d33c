/// An answer and the way it came.
public struct AgentReply: Sendable, Hashable {
    public let answer: Answer
    /// How much a yes allows; only a client that declares phrases can be given less than `full`.
    public let fidelity: Fidelity
    public let indication: Indication

    public init(answer: Answer, fidelity: Fidelity = .full, indication: Indication) {
        self.answer = answer
        self.fidelity = fidelity
        self.indication = indication
    }
}
