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
