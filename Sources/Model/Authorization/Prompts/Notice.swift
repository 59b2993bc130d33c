import Base

/// The text of a prompt: who asks for what, why, and the four data items. Agents show it and the log keeps it as it is.
public struct Notice: Sendable, Hashable {
    public let language: Language
    public let clientName: String
    public let title: String
    public let usageDescription: String
    /// What a grant is bound to that answers this notice.
    public private(set) var agreement: Agreement
    /// As the client declares them, with an outside engine added to the recipients.
    public let practices: DataPractices
    private let additions: [Addition]
    /// In the record of an answer: what the dialog said in which the user confirmed it; `nil`: none was shown.
    public private(set) var confirmation: String?
    /// What recognises speech on this machine; `nil` if the notice is not about that, or it is unknown.
    private let recognizer: String?

    /// - Parameter others: resources that the same answer decides.
    /// - Returns: `nil` if the client's manifest has no usage description for the resource.
    public init?(
        client: Client, resource: Resource, and others: [Resource] = [], question: Question = .firstUse,
        language: Language = .english, engine: SpeechEngine = .ofService, collector: RecordCollector? = nil,
        additions: [Addition] = []
    ) {
        guard client.manifest?.usageDescriptions[resource] != nil,
            var agreement = client.declared(resource, in: language)
        else { return nil }
        let name = DisplayText.cleaned(client.displayName(in: language), limit: 60)
        var description = agreement.usageDescription
        switch question {
        case .temporaryFullFidelity(let purpose): description = DisplayText.cleaned(purpose)
        case .upgradeToAlways, .review:
            description = Self.joined(
                ([resource] + others).compactMap { client.declared($0, in: language) }.map {
                    $0.alwaysUsageDescription ?? $0.usageDescription
                }.filter { !$0.isEmpty })
        case .firstUse, .identityChanged, .termsWidened: agreement.alwaysUsageDescription = nil
        }
        self.init(
            agreement, name, language.wording.title(question, client: name, resources: [resource] + others),
            description, language, engine, collector, additions,
            isOfSpeech: ([resource] + others).contains(.speechRecognition))
    }

    /// The same notice in the records about another of its resources.
    func agreeing(to declared: Agreement) -> Notice {
        var notice = self
        notice.agreement = declared
        (notice.agreement.engine, notice.agreement.model) = (agreement.engine, agreement.model)
        notice.agreement.collector = agreement.collector
        return notice
    }

    /// The same notice in the record of an answer that the user confirmed.
    public func confirmed(by dialog: String?) -> Notice {
        var notice = self
        notice.confirmation = dialog
        return notice
    }

    /// Each text once.
    private static func joined(_ descriptions: [String]) -> String {
        let texts = descriptions.enumerated().filter { !descriptions[..<$0.offset].contains($0.element) }.map(\.element)
        return texts.joined(separator: " ")
    }

    /// What settings show of a client: the same four items under another title. The usage description may be absent.
    public init(
        settingsOf manifest: Manifest, resource: Resource, language: Language = .english,
        engine: SpeechEngine = .ofService, collector: RecordCollector? = nil, additions: [Addition] = []
    ) {
        let name = DisplayText.cleaned(manifest.localized(in: language).name, limit: 60)
        var agreement = Agreement(manifest, resource, language)
        agreement.alwaysUsageDescription = nil
        self.init(
            agreement, name,
            language.wording.settingsTitle(resource: language.wording.resource(resource), client: name),
            agreement.usageDescription, language, engine, collector, additions,
            isOfSpeech: resource == .speechRecognition)
    }

    private init(
        _ agreement: Agreement, _ name: String, _ title: String, _ description: String, _ language: Language,
        _ engine: SpeechEngine, _ collector: RecordCollector?, _ additions: [Addition], isOfSpeech: Bool
    ) {
        self.language = language
        self.clientName = name
        self.title = title
        self.usageDescription = description
        self.agreement = agreement.recognised(by: engine, recordsTo: collector)
        self.practices = Self.practices(agreement, engine)
        self.additions = additions
        recognizer = isOfSpeech && !engine.isOutside ? engine.title : nil
    }

    private static func practices(_ agreement: Agreement, _ engine: SpeechEngine) -> DataPractices {
        let receiving = engine.recipient.map { [DisplayText.cleaned($0, limit: 100)] } ?? []
        let recipients = (agreement.recipients ?? []).filter { !receiving.contains($0) } + receiving
        return DataPractices(
            kinds: agreement.kinds, purpose: agreement.purpose, retention: agreement.retention,
            recipients: agreement.recipients == nil && receiving.isEmpty ? nil : recipients,
            keptByService: agreement.kept)
    }

    /// What the client declares beyond the grant that it has.
    public var new: String? { additions.isEmpty ? nil : language.wording.text(of: additions) }

    /// What is new, if the client has a grant; the four items; what recognises speech on this machine; the client's phrases and
    /// what it does in the background, if any.
    public var items: [(name: String, text: String)] {
        let wording = language.wording
        var items = new.map { [(wording(.new), $0)] } ?? []
        items += [
            (wording(.collected), practices.kinds.map(wording.kind).joined(separator: wording(.listSeparator))),
            (wording(.purpose), practices.purpose),
            (wording(.kept), keeping(wording)),
            (
                wording(.shared),
                [sharing(wording), sharingOfRecords(wording)].compactMap { $0 }
                    .joined(separator: wording.sentenceSeparator)
            ),
        ]
        if let recognizer { items.append((wording(.recognised), wording.recognisedOnThisMachine(engine: recognizer))) }
        if !agreement.phrases.isEmpty { items.append((wording(.phrases), wording.list(ofPhrases: agreement.phrases))) }
        let background =
            agreement.backgroundModes.map(wording.backgroundMode)
            + (agreement.launchCommand.isEmpty ? [] : [wording.start(agreement.launchCommand)])
        if !background.isEmpty {
            items.append((wording(.inBackground), background.joined(separator: wording.sentenceSeparator)))
        }
        return items
    }

    /// The whole notice; the log keeps and hashes this text. Each line but the title begins with a name, so that no text of a
    /// client can begin like another's.
    public var text: String {
        let reason = usageDescription.isEmpty ? [] : [(name: language.wording(.reason), text: "“\(usageDescription)”")]
        return ([title] + (reason + items).map { "\($0.name): \($0.text)" }).joined(separator: "\n")
    }

    private func keeping(_ wording: Wording) -> String {
        guard let retention = practices.retention else { return wording(.nothingIsKept) }
        let own = practices.kept.inOrder.map { wording.keptByService($0.kind, $0.time) }
        return ([retention] + own).joined(separator: wording.sentenceSeparator)
    }

    private func sharingOfRecords(_ wording: Wording) -> String? {
        agreement.collector.map { wording.recordsShared(with: $0) }
    }

    private func sharing(_ wording: Wording) -> String {
        guard let recipients = practices.recipients else { return wording(.sharingNotDeclared) }
        if recipients.isEmpty { return wording(.sharedWithNobody) }
        let shared = wording.sharedWith(recipients: recipients.joined(separator: wording(.listSeparator)))
        return agreement.recipients != nil
            ? shared : [shared, wording(.sharingNotDeclared)].joined(separator: wording.sentenceSeparator)
    }
}

/// A notice that was shown.
public struct ShownNotice: Sendable, Hashable {
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

    /// Everything below the title but what was new, both of which depend on the question.
    var declaration: [Substring] {
        var lines = text.split(separator: "\n").dropFirst()
        if let place = lines.indices.dropFirst().first, lines[place].hasPrefix(subject.language.wording(.new) + ": ") {
            lines.remove(at: place)
        }
        return Array(lines)
    }
}

/// The last notice about each client, resource and language.
struct ShownNotices {
    private var last: [ShownNotice.Subject: ShownNotice]

    init(_ notices: [ShownNotice]) {
        last = Dictionary(notices.map { ($0.subject, $0) }) { $1 }
    }

    /// The client's name in the last one about the key, in English if there was one.
    func name(of key: DecisionKey) -> String? {
        Language.allCases.lazy.compactMap { last[ShownNotice.Subject(key: key, language: $0)]?.clientName }.first
    }

    /// Whether one about the key was shown, in any language.
    func includes(_ key: DecisionKey) -> Bool {
        Language.allCases.contains { last[ShownNotice.Subject(key: key, language: $0)] != nil }
    }

    /// The previous notice, if this one declares something else. Prompts with their own text, and about several
    /// resources, are ignored.
    func differing(from prompt: Prompt) -> ShownNotice? {
        let shown = ShownNotice(prompt)
        guard !prompt.hasOwnText, let before = last[shown.subject],
            before.declaration != shown.declaration || before.clientName != shown.clientName
        else { return nil }
        return before
    }

    mutating func note(_ prompt: Prompt) {
        guard !prompt.hasOwnText else { return }
        let shown = ShownNotice(prompt)
        last[shown.subject] = shown
    }
}

extension Prompt {
    /// The question shows another text than the usage description of one resource.
    fileprivate var hasOwnText: Bool {
        resources.count > 1 || notice.usageDescription != notice.agreement.usageDescription
    }
}
