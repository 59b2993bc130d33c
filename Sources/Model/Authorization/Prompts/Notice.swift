/// What the person reads before answering: who asks for what, why, and the four data items.
///
/// The text is composed here, once, so that what an agent shows is what the log keeps.
public struct Notice: Sendable, Hashable {
    public let language: Language
    /// The client's name as it is shown.
    public let clientName: String
    public let title: String
    /// The manifest's usage description, cleaned.
    public let usageDescription: String
    /// As the client declares them, and with an engine outside of the service among the recipients.
    public let practices: DataPractices
    /// Whether the client says who else receives anything.
    private let declaresSharing: Bool

    /// - Parameter engine: who recognises.
    /// - Returns: `nil` when the client's manifest has no usage description for the resource.
    public init?(
        client: Client, resource: Resource, question: Question = .firstUse, language: Language = .english,
        engine: SpeechEngine = .ofService
    ) {
        guard let manifest = client.manifest?.localized(in: language),
            let description = manifest.usageDescriptions[resource]
        else { return nil }
        let name = DisplayText.cleaned(client.displayName(in: language), limit: 60)
        self.language = language
        self.clientName = name
        self.title = language.wording.title(question, client: name, resource: resource)
        self.usageDescription = DisplayText.cleaned(
            Self.description(question) ?? description, limit: 400)
        self.practices = Self.cleaned(manifest.practices, engine)
        self.declaresSharing = manifest.practices.recipients != nil
    }

    /// What settings show of a client, where nobody asks: the same four items under another title.
    ///
    /// - Parameter manifest: one that has no usage description for the resource shows none.
    public init(
        settingsOf manifest: Manifest, resource: Resource, language: Language = .english,
        engine: SpeechEngine = .ofService
    ) {
        let manifest = manifest.localized(in: language)
        let name = DisplayText.cleaned(manifest.name, limit: 60)
        self.language = language
        self.clientName = name
        self.title = language.wording.settingsTitle(client: name, resource: resource)
        self.usageDescription = DisplayText.cleaned(manifest.usageDescriptions[resource] ?? "", limit: 400)
        self.practices = Self.cleaned(manifest.practices, engine)
        self.declaresSharing = manifest.practices.recipients != nil
    }

    private static func cleaned(_ practices: DataPractices, _ engine: SpeechEngine) -> DataPractices {
        // A client that names too many must not crowd out the one that the service itself sends to.
        let declared = practices.recipients?.prefix(engine.recipient == nil ? 20 : 19)
            .map { DisplayText.cleaned($0, limit: 100) }
        let receiving = engine.recipient.map { [DisplayText.cleaned($0, limit: 100)] } ?? []
        let recipients = (declared ?? []).filter { !receiving.contains($0) } + receiving
        return DataPractices(
            kinds: practices.kinds,
            purpose: DisplayText.cleaned(practices.purpose, limit: 400),
            retention: practices.retention.map { DisplayText.cleaned($0, limit: 200) },
            recipients: declared == nil && receiving.isEmpty ? nil : recipients,
            keptByService: practices.kept)
    }

    private static func description(_ question: Question) -> String? {
        if case .temporaryFullFidelity(let purpose) = question { purpose } else { nil }
    }

    /// The four items, each with its name as the person reads it.
    public var items: [(name: String, text: String)] {
        let wording = language.wording
        return [
            (wording.collected, practices.kinds.map(wording.name(of:)).joined(separator: wording.listSeparator)),
            (wording.purpose, practices.purpose),
            (wording.kept, keeping(wording)),
            (wording.shared, sharing(wording)),
        ]
    }

    /// The whole notice as text; this is what the log keeps and hashes.
    public var text: String {
        ([title, usageDescription].filter { !$0.isEmpty } + items.map { "\($0.name): \($0.text)" })
            .joined(separator: "\n")
    }

    /// The client's own words, and then what VoiceGate does itself.
    private func keeping(_ wording: any Wording) -> String {
        guard let retention = practices.retention else { return wording.nothingIsKept }
        let own = practices.kept.inOrder.map { wording.keptByService($0.kind, $0.time) }
        return ([retention] + own).joined(separator: wording.sentenceSeparator)
    }

    private func sharing(_ wording: any Wording) -> String {
        guard let recipients = practices.recipients else { return wording.sharingNotDeclared }
        if recipients.isEmpty { return wording.sharedWithNobody }
        let shared = wording.sharedWith(recipients.joined(separator: wording.listSeparator))
        return declaresSharing
            ? shared : [shared, wording.sharingNotDeclared].joined(separator: wording.sentenceSeparator)
    }
}

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

/// The last notice about each client, resource and language.
struct ShownNotices {
    private var last: [ShownNotice.Subject: ShownNotice]

    init(_ notices: [ShownNotice]) {
        last = Dictionary(notices.map { ($0.subject, $0) }) { $1 }
    }

    /// The notice that was shown before, where this one says something else about the client.
    ///
    /// A prompt for full fidelity has a text of its own and is left out.
    func differing(from prompt: Prompt) -> ShownNotice? {
        let shown = ShownNotice(prompt)
        guard !prompt.question.hasOwnText, let before = last[shown.subject],
            before.declaration != shown.declaration || before.clientName != shown.clientName
        else { return nil }
        return before
    }

    mutating func note(_ prompt: Prompt) {
        guard !prompt.question.hasOwnText else { return }
        let shown = ShownNotice(prompt)
        last[shown.subject] = shown
    }
}

extension Question {
    fileprivate var hasOwnText: Bool { if case .temporaryFullFidelity = self { true } else { false } }
}

/// Makes text from outside safe to show: one line, no control or direction-changing characters, bounded.
///
/// A name with a newline or a right-to-left override could otherwise draw a prompt of its own.
public enum DisplayText {
    /// - Parameter limit: characters that are kept; a longer text ends in "…".
    public static func cleaned(_ text: String, limit: Int) -> String {
        // Bounded before it is walked by grapheme: one "character" may hold any number of combining scalars.
        var kept = String.UnicodeScalarView()
        var lastWasSpace = true
        for scalar in text.unicodeScalars.prefix(limit * 4) {
            if scalar.properties.isWhitespace || scalar.properties.generalCategory == .control {
                if !lastWasSpace { kept.append(" ") }
                lastWasSpace = true
            } else if isShown(scalar) {
                kept.append(scalar)
                lastWasSpace = false
            }
        }
        let line = String(kept).trimmingSuffix(" ")
        return line.count <= limit ? line : line.prefix(limit - 1) + "…"
    }

    private static func isShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .surrogate, .unassigned: false
        default: true
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ character: Character) -> String {
        var text = self[...]
        while text.last == character { text.removeLast() }
        return String(text)
    }
}
