import Authorization

/// What of a notice a terminal shows; also for a notice that came over the socket as text.
public struct DisplayedNotice: Sendable {
    public let language: Language
    public let title: String
    public let usageDescription: String
    public let items: [(name: String, text: String)]
    /// What can be answered, in the order of showing.
    public let answers: [Answer]

    public init(
        title: String, usageDescription: String, items: [(name: String, text: String)],
        answers: [Answer] = Question.firstUse.answers(), language: Language = .english
    ) {
        self.language = language
        self.title = title
        self.usageDescription = usageDescription
        self.items = items
        self.answers = answers
    }

    public init(_ notice: Notice, answers: [Answer] = Question.firstUse.answers()) {
        self.init(
            title: notice.title, usageDescription: notice.usageDescription, items: notice.items, answers: answers,
            language: notice.language)
    }

    /// The notice as it is shown at a terminal, without the answers and without colours.
    ///
    /// - Parameter width: columns.
    public func lines(width: Int) -> [String] { PromptText(width: width, environment: [:]).readingLines(of: self) }
}
