import Speech

/// What OpenAI's transcription call answers with as `verbose_json`. Times in seconds of the file.
public struct OpenAIVerboseTranscription: Sendable, Hashable, Codable {
    public struct Word: Sendable, Hashable, Codable {
        public var word: String
        public var start: Double
        public var end: Double

        public init(_ word: TranscribedWord) {
            self.word = word.word
            start = word.start
            end = word.end
        }
    }

    /// Always `transcribe`.
    public var task: String
    /// In English and small letters, as Whisper writes it: `english`.
    public var language: String
    /// Of the whole file.
    public var duration: Double
    public var text: String
    /// Absent where only words were asked for.
    public var segments: [OpenAISegment]?
    /// Absent unless they were asked for.
    public var words: [Word]?

    /// - Parameter transcripts: those without words are left out.
    public init(
        _ transcripts: [Transcript], duration: Double, language: String, granularities: Set<OpenAIGranularity>
    ) {
        let spoken = transcripts.filter { !$0.text.isEmpty }
        task = "transcribe"
        self.language = language
        self.duration = duration
        text = spoken.map(\.text).joined(separator: " ")
        if granularities.contains(.segment) {
            segments = spoken.enumerated().map { OpenAISegment($0.element, number: $0.offset) }
        }
        if granularities.contains(.word) { words = spoken.flatMap(\.words).map(Word.init) }
    }
}
