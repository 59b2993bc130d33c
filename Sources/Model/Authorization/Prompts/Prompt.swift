/// A question to the person. An agent shows `notice` and returns one of `answers`.
public struct Prompt: Sendable {
    /// Unguessable; an answer must name it. Good for one answer.
    public let cookie: String
    public let requester: Requester
    public let resource: Resource
    public let question: Question
    public let notice: Notice
    /// For the agent, while the person reads or types.
    public let attention = Attention()

    public init(cookie: String, requester: Requester, resource: Resource, question: Question, notice: Notice) {
        self.cookie = cookie
        self.requester = requester
        self.resource = resource
        self.question = question
        self.notice = notice
    }

    public var answers: [Answer] { question.answers(onceAtMost: requester.isOnceAtMost) }

    /// Whether the person can choose that only the client's phrases are told.
    public var offersFidelity: Bool {
        guard resource == .speechRecognition, requester.client.manifest?.phrases.isEmpty == false else { return false }
        return question == .firstUse
    }
}
