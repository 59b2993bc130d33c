/// The words of the answers to a prompt and of what they came to.
public protocol AnswerWording: Sendable {
    /// - Parameter answers: all that can be given to the question; the same answer reads otherwise beside others.
    func name(of answer: Answer, among answers: AnswerSet) -> String
    func outcome(of answer: Answer) -> String
    /// The prompt ended without an answer.
    var noAnswer: String { get }
}
