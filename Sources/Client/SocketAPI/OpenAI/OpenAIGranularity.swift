/// The form's field `timestamp_granularities[]` of OpenAI's transcription call.
public enum OpenAIGranularity: String, Sendable, Codable, Hashable, CaseIterable {
    case segment, word
}
