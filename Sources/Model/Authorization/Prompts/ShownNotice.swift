/// A notice as it was shown.
public struct ShownNotice: Sendable, Hashable {
    /// What it was about, and in which language.
    public struct Subject: Sendable, Hashable {
        public let key: DecisionKey
        public let language: Language

        public init(key: DecisionKey, language: Language) {
            self.key = key
            self.language = language
        }
    }

    public let subject: Subject
    public let clientName: String
    /// Word for word.
    public let text: String

    public init(subject: Subject, clientName: String, text: String) {
        self.subject = subject
        self.clientName = clientName
        self.text = text
    }

    init(_ prompt: Prompt) {
        self.init(
            subject: Subject(key: prompt.requester.key(for: prompt.resource), language: prompt.notice.language),
            clientName: prompt.requester.client.displayName, text: prompt.notice.text)
    }

    /// What the client declares: everything below the title, which depends on the question.
    var declaration: Substring { text.drop { $0 != "\n" } }
}
