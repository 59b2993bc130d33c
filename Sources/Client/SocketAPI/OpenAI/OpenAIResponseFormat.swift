/// The form's field `response_format` of OpenAI's transcription call.
public enum OpenAIResponseFormat: String, Sendable, Codable, Hashable, CaseIterable {
    /// `OpenAITranscription`
    case json
    /// The text and a line's end.
    case text
    /// SubRip subtitles.
    case srt
    /// `OpenAIVerboseTranscription`
    case verboseJSON = "verbose_json"
    /// WebVTT subtitles.
    case vtt
}
