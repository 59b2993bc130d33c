/// What the person reads before answering: who asks for what, why, and the four data items.
///
/// The text is composed here, once, so that what an agent shows is what the log keeps.
public struct Notice: Sendable, Hashable {
    /// BCP 47.
    public let language: String
    public let title: String
    /// The manifest's usage description, cleaned.
    public let usageDescription: String
    public let practices: DataPractices

    /// - Returns: `nil` when the client's manifest has no usage description for the resource.
    public init?(client: Client, resource: Resource, question: Question = .firstUse) {
        guard let manifest = client.manifest, let description = manifest.usageDescriptions[resource] else { return nil }
        let name = DisplayText.cleaned(client.displayName, limit: 60)
        self.language = "en"
        self.title = Self.title(question, name, resource)
        self.usageDescription = DisplayText.cleaned(
            Self.description(question) ?? description, limit: 400)
        self.practices = DataPractices(
            kinds: manifest.practices.kinds,
            purpose: DisplayText.cleaned(manifest.practices.purpose, limit: 400),
            retention: manifest.practices.retention.map { DisplayText.cleaned($0, limit: 200) },
            recipients: manifest.practices.recipients.map { $0.prefix(20).map { DisplayText.cleaned($0, limit: 100) } })
    }

    private static func title(_ question: Question, _ name: String, _ resource: Resource) -> String {
        switch question {
        case .firstUse:
            "“\(name)” would like to use \(resource.phrase)."
        case .identityChanged(let previous):
            "“\(name)” has changed since you allowed it to use \(resource.phrase). It was "
                + "\(DisplayText.cleaned(previous.path ?? "an unknown program", limit: 100)) "
                + "(\(previous.sha256.prefix(8)))."
        case .upgradeToAlways:
            "Let “\(name)” use \(resource.phrase) also when you are not using it?"
        case .review:
            "“\(name)” may use \(resource.phrase) at any time. Keep it so?"
        case .temporaryFullFidelity:
            "“\(name)” would like to have every word for this session, not only its phrases."
        }
    }

    private static func description(_ question: Question) -> String? {
        if case .temporaryFullFidelity(let purpose) = question { purpose } else { nil }
    }

    /// The four items, each with its name as the person reads it.
    public var items: [(name: String, text: String)] {
        [
            ("Collected", practices.kinds.map(\.phrase).joined(separator: ", ")),
            ("Purpose", practices.purpose),
            ("Kept", practices.retention ?? "nothing is kept"),
            ("Shared", sharing),
        ]
    }

    /// The whole notice as text; this is what the log keeps and hashes.
    public var text: String {
        ([title, usageDescription] + items.map { "\($0.name): \($0.text)" }).joined(separator: "\n")
    }

    private var sharing: String {
        guard let recipients = practices.recipients else { return "the client does not say" }
        return recipients.isEmpty ? "with nobody" : "with " + recipients.joined(separator: ", ")
    }
}
