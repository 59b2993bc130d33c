import Authorization

/// A question that the caller may answer.
public struct PromptOffer: Sendable, Hashable, Codable {
    public struct Item: Sendable, Hashable, Codable {
        public var name: String
        public var text: String

        public init(name: String, text: String) {
            self.name = name
            self.text = text
        }
    }

    /// Names the prompt in `POST /v1/prompts/{cookie}/answer`; good for one answer.
    public var cookie: String
    public var client: String
    public var resource: Resource
    public var language: String
    public var title: String
    public var usageDescription: String
    /// The four data items, in the order they are to be shown.
    public var items: [Item]
    /// What can be answered, in the order they are to be shown.
    public var answers: [Answer]
    /// Whether a yes may come with `"fidelity":"reduced"`: then only the client's phrases are told.
    public var offersFidelity: Bool

    public init(_ prompt: Prompt) {
        cookie = prompt.cookie
        client = prompt.requester.client.identifier.rawValue
        resource = prompt.resource
        language = prompt.notice.language.rawValue
        title = prompt.notice.title
        usageDescription = prompt.notice.usageDescription
        items = prompt.notice.items.map { Item(name: $0.name, text: $0.text) }
        answers = prompt.answers
        offersFidelity = prompt.offersFidelity
    }
}
