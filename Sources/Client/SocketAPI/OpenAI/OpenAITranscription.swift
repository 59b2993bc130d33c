/// What OpenAI's transcription call answers with as `json`.
public struct OpenAITranscription: Sendable, Hashable, Codable {
    public var text: String

    public init(text: String) { self.text = text }
}
