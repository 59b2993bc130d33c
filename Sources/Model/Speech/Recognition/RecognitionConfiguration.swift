/// How to recognise.
public struct RecognitionConfiguration: Sendable, Hashable {
    public enum Input: String, Sendable, Codable, Hashable {
        /// Frames at 16 kHz mono, as they are spoken.
        case live
        /// A sound file (WAV, FLAC, Ogg …) as it is on disk, any rate and channels.
        case file
    }

    public var task: RecognitionTask
    public var input: Input
    /// The pause that ends an utterance, in seconds.
    public var endSilence: Double
    public var userWords: UserWords
    /// Further readings of each utterance, 0…10.
    public var alternatives: Int
    public var adaptation: SpeakerAdaptation
    /// For a file: utterances that begin before so many seconds are left out. The others come out as they would without.
    public var from = 0.0

    public static let mostAlternatives = 10
    /// A day.
    public static let latestFrom = 86_400

    public init(
        task: RecognitionTask = .dictation, input: Input = .live, endSilence: Double = TaskHint.dictation.endSilence,
        userWords: UserWords = .none, alternatives: Int = 0, adaptation: SpeakerAdaptation = .none
    ) {
        self.task = task
        self.input = input
        self.endSilence = endSilence
        self.userWords = userWords
        self.alternatives = min(max(alternatives, 0), Self.mostAlternatives)
        self.adaptation = adaptation
    }
}
