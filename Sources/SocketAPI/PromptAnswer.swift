import Authorization

/// `POST /v1/prompts/{cookie}/answer`; answered with 204.
public struct PromptAnswer: Sendable, Hashable, Codable {
    public var answer: Answer

    public init(answer: Answer) {
        self.answer = answer
    }
}
