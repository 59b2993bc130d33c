/// The words of the answers to a prompt and of what they came to.
public protocol AnswerWording: Sendable {
    /// - Parameter answers: all that can be given to the question; the same answer reads otherwise beside others.
    func name(of answer: Answer, among answers: AnswerSet) -> String
    func outcome(of answer: Answer) -> String
    /// What a yes lets the client have, beside the answers.
    func name(of fidelity: Fidelity) -> String
    /// The prompt ended without an answer.
    var noAnswer: String { get }
}
