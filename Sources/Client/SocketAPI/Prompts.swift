import Authorization

/// A prompt that the caller may answer.
public struct PromptOffer: Sendable, Hashable, Codable {
    public struct Item: Sendable, Hashable, Codable {
        public var name: String
        public var text: String
    }

    /// Names the prompt in `POST /v1/prompts/{cookie}/answer`; valid for one answer.
    public var cookie: String
    public var client: String
    public var resource: Resource
    public var language: String
    public var title: String
    public var usageDescription: String
    /// The program that asks and what installed it, then the data items, in the order in which to show them.
    public var items: [Item]
    /// The possible answers, in the order in which to show them.
    public var answers: [Answer]
    /// Whether a grant may have `"fidelity":"reduced"`: the client then gets only its phrases.
    public var offersFidelity: Bool

    public init(_ prompt: Prompt) {
        cookie = prompt.cookie
        client = prompt.requester.client.identifier.rawValue
        resource = prompt.resource
        language = prompt.notice.language.rawValue
        title = prompt.notice.title
        usageDescription = prompt.notice.usageDescription
        items = prompt.items.map { Item(name: $0.name, text: $0.text) }
        answers = prompt.answers
        offersFidelity = prompt.offersFidelity
    }
}

/// Each line of `GET /v1/prompts`: `{"type":"listening"}`, `{"prompt":{…},"type":"shown"}`,
/// `{"cookie":"…","type":"withdrawn"}`.
public enum PromptEvent: Sendable, Hashable, Codable {
    /// The first line: from now on prompts that this caller may answer are sent.
    case listening
    case shown(PromptOffer)
    /// The prompt is answered or no longer needed; remove it from the screen.
    case withdrawn(cookie: String)

    private enum Kind: String, Codable {
        case listening, shown, withdrawn
    }

    private enum CodingKeys: String, CodingKey {
        case type, prompt, cookie
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self =
            switch try fields.known(.type) as Kind {
            case .listening: .listening
            case .shown: .shown(try fields[.prompt])
            case .withdrawn: .withdrawn(cookie: try fields[.cookie])
            }
    }

    public func encode(to encoder: any Encoder) throws {
        let fields: KeyValuePairs<CodingKeys, (any Encodable)?> =
            switch self {
            case .listening: [.type: Kind.listening]
            case .shown(let offer): [.type: Kind.shown, .prompt: offer]
            case .withdrawn(let cookie): [.type: Kind.withdrawn, .cookie: cookie]
            }
        try encoder.encode(fields)
    }
}

/// `POST /v1/prompts/{cookie}/answer`; answered with 204.
public struct PromptAnswer: Sendable, Hashable, Codable {
    public var answer: Answer
    /// Of a grant, if the prompt offers it; default `full`.
    public var fidelity: Fidelity?

    public init(answer: Answer, fidelity: Fidelity? = nil) {
        self.answer = answer
        self.fidelity = fidelity
    }
}

/// `GET /v1/prompts?agent=…`: where an agent shows the prompts of other programs.
public enum AgentKind: String, Sendable, Codable, Hashable, CaseIterable {
    /// At its terminal, whose foreground job it must be.
    case terminal
    /// As notifications of the desktop.
    case desktop
}
