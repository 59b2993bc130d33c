import Authorization

/// The parts of a notice that are shown; also for a notice that was received as text.
public struct DisplayedNotice: Sendable {
    public typealias Field = (name: String, text: String)

    public let language: Language
    public let title: String
    public let usageDescription: String
    /// The program, if the notice is of a prompt, then what the client declares.
    public let items: [Field]
    /// The possible answers in the order of display.
    public let answers: [Answer]
    /// Items that the notice before it showed, too.
    public let previous: [Field]

    public init(
        title: String, usageDescription: String, items: [Field],
        answers: [Answer] = Question.firstUse.answers(), language: Language = .english, previous: [Field] = []
    ) {
        self.language = language
        self.title = title
        self.usageDescription = usageDescription
        self.items = items
        self.answers = answers
        self.previous = previous
    }

    public init(_ prompt: Prompt) {
        self.init(
            title: prompt.notice.title, usageDescription: prompt.notice.usageDescription, items: prompt.items,
            answers: prompt.answers, language: prompt.notice.language)
    }

    public init(_ notice: Notice, answers: [Answer] = Question.firstUse.answers()) {
        self.init(
            title: notice.title, usageDescription: notice.usageDescription, items: notice.items, answers: answers,
            language: notice.language)
    }

    /// What asks, as the system reports it.
    var program: Field? { items.first.flatMap { $0.name == language.wording(.program) ? $0 : nil } }

    /// What the client declares.
    var fields: [Field] {
        let reason = usageDescription.isEmpty ? [] : [(language.wording(.reason), "“\(usageDescription)”")]
        return reason + items.dropFirst(program == nil ? 0 : 1)
    }

    /// The same without the items that the notice before it showed too, if the two are about one program; else the whole notice.
    public func after(_ previous: DisplayedNotice) -> DisplayedNotice {
        guard language == previous.language, answers == previous.answers, let program,
            program.text == previous.program?.text
        else { return self }
        let (known, new) = items.dropFirst().reduce(into: ([Field](), [program])) { parts, item in
            if previous.items.contains(where: { $0 == item }) { parts.0.append(item) } else { parts.1.append(item) }
        }
        guard !known.isEmpty else { return self }
        return DisplayedNotice(
            title: title, usageDescription: usageDescription, items: new, answers: answers, language: language,
            previous: known)
    }

    /// The notice as in a terminal, without the answers, without colours, and with nothing cut.
    ///
    /// - Parameter width: columns.
    public func lines(width: Int) -> [String] { PromptText(width: width, environment: [:]).readingLines(of: self) }
}
