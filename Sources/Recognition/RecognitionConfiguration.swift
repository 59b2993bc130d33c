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

    public init(task: RecognitionTask = .dictation, input: Input = .live, endSilence: Double = 0.8) {
        self.task = task
        self.input = input
        self.endSilence = endSilence
    }
}
