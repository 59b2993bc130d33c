import Speech

/// What can be told of the words of a sound file. With the body's type `mediaType`, the body of
/// `POST /v1/audio/transcriptions` is this as JSON in one line, then the file; every field may be absent.
public struct TranscriptionRequest: Sendable, Hashable, Codable {
    public static let mediaType = "application/x-voicegate-transcription"
    /// Bytes of the line.
    public static let longestLine = 1_048_576

    /// As in `DictationRequest`.
    public var taskHint: TaskHint?
    public var contextPhrases: [String]?
    public var words: String?
    public var grammar: String?
    public var alternatives: Int?

    public init(
        taskHint: TaskHint? = nil, contextPhrases: [String]? = nil, words: String? = nil, grammar: String? = nil,
        alternatives: Int? = nil
    ) {
        self.taskHint = taskHint
        self.contextPhrases = contextPhrases
        self.words = words
        self.grammar = grammar
        self.alternatives = alternatives
    }

    public var isEmpty: Bool { self == TranscriptionRequest() }
}
