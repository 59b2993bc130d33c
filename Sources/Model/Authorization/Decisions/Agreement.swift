import Base

/// What a grant is bound to: what the answered notice declared about the client, and what recognised speech then.
///
/// One value, whose canonical form (`agreed` in the stored terms) has a SHA-256 in the records of the notice and of the answer.
/// A client that declares more needs another answer; one that declares less does not.
public struct Agreement: Sendable, Hashable {
    /// Of the texts. `nil`: the answer has no notice; then any usage description and purpose are covered, and nothing beyond
    /// what each client does.
    public var language: Language?
    public var usageDescription = ""
    public var purpose = ""
    /// What the question about always showed; `nil`: it was not asked, or showed the usage description.
    public var alwaysUsageDescription: String?
    public var kinds: [DataKind] = [.liveAudio, .transcript]
    /// How long the client keeps data, in its own words; `nil`: it keeps nothing.
    public var retention: String?
    /// Who gets data from the client. Empty: no one. `nil`: not declared.
    public var recipients: [String]?
    /// What VoiceGate may keep.
    public var kept: KeepingTimes = [:]
    public var backgroundModes: [BackgroundMode] = []
    /// What a monitor starts; empty: the program itself.
    public var launchCommand: [String] = []
    /// Of speech recognition: all that the client receives at reduced fidelity.
    public var phrases: [String] = []
    /// The outside engine, which receives audio (`SpeechEngine.recipient`).
    public var engine: String?
    /// `SpeechEngine.model` when the user answered. A grant covers other models of the service, too: they learn nothing more.
    public var model: String?
    /// Who received consent records when the user answered.
    public var collector: RecordCollector?

    /// An answer without a notice.
    public init(kept: KeepingTimes = [:]) { self.kept = kept }

    /// All that a notice shows of a client, in safe texts. Nothing is cut: a manifest that does not fit is not read.
    init(_ manifest: Manifest, _ resource: Resource, _ language: Language) {
        let manifest = manifest.localized(in: language)
        let practices = manifest.practices
        self.init(kept: practices.kept)
        self.language = language
        usageDescription = DisplayText.cleaned(manifest.usageDescriptions[resource] ?? "")
        purpose = DisplayText.cleaned(practices.purpose)
        alwaysUsageDescription = manifest.alwaysUsageDescriptions[resource].map { DisplayText.cleaned($0) }
        kinds = practices.kinds
        retention = practices.retention.map { DisplayText.cleaned($0) }
        recipients = practices.recipients?.map { DisplayText.cleaned($0) }
        backgroundModes = BackgroundMode.allCases.filter { manifest.backgroundModes.contains($0.rawValue) }
        launchCommand = manifest.launchCommand
        if resource == .speechRecognition { phrases = manifest.phrases.map { DisplayText.cleaned($0) } }
    }

    /// The same with what recognises speech, and who receives consent records.
    func recognised(by engine: SpeechEngine, recordsTo collector: RecordCollector?) -> Agreement {
        var agreement = self
        (agreement.engine, agreement.model) = (engine.recipient, engine.model)
        agreement.collector = collector
        return agreement
    }

    /// What both cover: one of them, or nothing.
    func limited(by other: Agreement, _ resource: Resource) -> Agreement {
        var other = other
        if language != other.language {
            // Texts in two languages cannot be compared.
            (other.language, other.usageDescription, other.purpose) = (language, usageDescription, purpose)
            other.alwaysUsageDescription = alwaysUsageDescription
            if retention != nil, other.retention != nil { other.retention = retention }
        }
        if other.additions(in: self, resource, at: nil).isEmpty { return self }
        if additions(in: other, resource, at: nil).isEmpty { return other }
        var nothing = Agreement()
        // Each client collects something.
        nothing.kinds = []
        return nothing
    }
}

/// A background mode with an effect (`UIBackgroundModes`).
public enum BackgroundMode: String, Sendable, Hashable, CaseIterable {
    /// A session that began in the foreground continues in the background.
    case audio
    /// Its monitors also listen while the user is absent, but for the machine's sleep.
    case locked
}

/// Something that a client declares and a grant does not cover.
public enum Addition: Sendable, Hashable {
    /// Another usage description or purpose.
    case purpose
    case kinds([DataKind])
    /// Another text about how long data is kept, or a longer time.
    case retention(String)
    /// VoiceGate is to keep these, or keep them longer.
    case kept(KeepingTimes)
    case recipients([String])
    /// The recipients are no longer declared.
    case sharingNotDeclared
    case background(BackgroundMode)
    case launchCommand([String])
    /// The client receives these, too.
    case phrases([String])
    case engine(String)
    /// Another recipient of consent records, another purpose of it, or it receives more.
    case collector(RecordCollector)
}

extension Agreement {
    /// What the other declares beyond this, in the order of a notice; empty if a grant with this covers it. Texts cannot be
    /// compared, so a different one is an addition.
    ///
    /// - Parameters:
    ///   - other: in the language of this.
    ///   - fidelity: of the grant; at reduced fidelity an outside engine receives nothing, at full fidelity the client
    ///     receives more than its phrases. `nil`: either.
    func additions(in other: Agreement, _ resource: Resource, at fidelity: Fidelity?) -> [Addition] {
        // Most grants cover exactly what is declared.
        if self == other { return [] }
        var additions: [Addition] = []
        let always = alwaysUsageDescription
        if language != nil,
            Self.isNew(other.usageDescription, usageDescription) || Self.isNew(other.purpose, purpose)
                || always != nil && Self.isNew(other.alwaysUsageDescription ?? "", always)
        {
            additions.append(.purpose)
        }
        let kinds = other.kinds.filter { !self.kinds.contains($0) }
        if !kinds.isEmpty { additions.append(.kinds(kinds)) }
        if let text = other.retention, !coversRetention(text) { additions.append(.retention(text)) }
        let kept = other.kept.filter { kind, time in self.kept[kind].map { time.shorter($0) != time } ?? true }
        if !kept.isEmpty { additions.append(.kept(kept)) }
        if let declared = other.recipients {
            let recipients = declared.filter { self.recipients?.contains($0) != true }
            if !recipients.isEmpty { additions.append(.recipients(recipients)) }
        } else if recipients != nil {
            additions.append(.sharingNotDeclared)
        }
        additions += other.backgroundModes.filter { !backgroundModes.contains($0) }.map { .background($0) }
        if !other.launchCommand.isEmpty, other.launchCommand != launchCommand {
            additions.append(.launchCommand(other.launchCommand))
        }
        if let collector = other.collector, self.collector?.covers(collector) != true {
            additions.append(.collector(collector))
        }
        guard resource == .speechRecognition else { return additions }
        let agreed = Set(phrases)
        let phrases = other.phrases.filter { !agreed.contains($0) }
        if !phrases.isEmpty, fidelity != .full { additions.append(.phrases(phrases)) }
        if let engine = other.engine, engine != self.engine, fidelity != .reduced { additions.append(.engine(engine)) }
        return additions
    }

    /// A text that was removed says nothing new.
    private static func isNew(_ text: String, _ agreed: String?) -> Bool { !text.isEmpty && text != agreed }

    private func coversRetention(_ text: String) -> Bool {
        guard let retention else { return false }
        guard retention != text else { return true }
        guard let agreed = KeepingTime(shown: retention), let declared = KeepingTime(shown: text) else { return false }
        return declared.shorter(agreed) == declared
    }
}

extension KeepingTime {
    /// Reads a text that is nothing but a time: `P30D`, `30 days`, `30日間`, `30일`.
    fileprivate init?(shown text: String) {
        if let time = KeepingTime(text) {
            self = time
            return
        }
        if Language.allCases.contains(where: { $0.wording(.untilWithdrawn) == text }) {
            self = .untilWithdrawn
            return
        }
        guard let count = Int(text.prefix { $0.isASCII && $0.isNumber }), count > 0 else { return nil }
        for unit in KeepingUnit.allCases
        where Language.allCases.contains(where: { $0.wording.duration(unit, count: count) == text }) {
            guard let time = KeepingTime("\(unit.prefix)\(count)\(unit.letter)") else { return nil }
            self = time
            return
        }
        return nil
    }
}
