/// An event of OpenAI's transcription stream: `{"type":"transcript.text.delta","delta":"go forward"}`.
public enum OpenAITranscriptEvent: Sendable, Hashable, Encodable {
    /// More of the text, with the blank that parts it from what came before.
    case delta(String)
    /// The whole text. The last event.
    case done(String)

    private enum CodingKeys: String, CodingKey { case type, delta, text }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .delta(let text):
            try container.encode("transcript.text.delta", forKey: .type)
            try container.encode(text, forKey: .delta)
        case .done(let text):
            try container.encode("transcript.text.done", forKey: .type)
            try container.encode(text, forKey: .text)
        }
    }
}
