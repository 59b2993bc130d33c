import Authorization
import Synchronization
import TestSupport

/// The next answer of the person in a random sequence; `nil` means that the agent fails.
final class AnswerBox: Sendable {
    private let state = Mutex<Answer?>(nil)

    struct NoAnswer: Error {}

    var next: Answer? {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    var agent: any Agent { BoxAgent(box: self) }

    private struct BoxAgent: Agent {
        let box: AnswerBox

        func ask(_ prompt: Prompt) async throws -> AgentReply {
            guard let answer = box.next else { throw NoAnswer() }
            return AgentReply(answer: answer, indication: .scriptedAgent)
        }
    }
}
