/// Each line of `GET /v1/prompts`: `{"type":"listening"}`, `{"prompt":{…},"type":"shown"}`,
/// `{"cookie":"…","type":"withdrawn"}`.
public enum PromptEvent: Sendable, Hashable, Codable {
    /// The first line: prompts that this caller may answer come from now on.
    case listening
    case shown(PromptOffer)
    /// The prompt is answered or nobody waits for it any more; take it off the screen.
    case withdrawn(cookie: String)

    private enum Kind: String, Codable {
        case listening, shown, withdrawn
    }

    private enum CodingKeys: String, CodingKey {
        case type, prompt, cookie
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(Kind.self, forKey: .type) {
        case .listening: self = .listening
        case .shown: self = .shown(try container.decode(PromptOffer.self, forKey: .prompt))
        case .withdrawn: self = .withdrawn(cookie: try container.decode(String.self, forKey: .cookie))
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .listening:
            try container.encode(Kind.listening, forKey: .type)
        case .shown(let offer):
            try container.encode(Kind.shown, forKey: .type)
            try container.encode(offer, forKey: .prompt)
        case .withdrawn(let cookie):
            try container.encode(Kind.withdrawn, forKey: .type)
            try container.encode(cookie, forKey: .cookie)
        }
    }
}
