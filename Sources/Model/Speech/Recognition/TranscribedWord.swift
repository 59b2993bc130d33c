/// A word with its place and how sure the recogniser is of it.
public struct TranscribedWord: Sendable, Hashable, Codable {
    public let word: String
    /// Seconds of audio since the session's first frame.
    public let start: Double
    public let end: Double
    /// The word's posterior probability, 0…1.
    public let confidence: Double

    public init(word: String, start: Double, end: Double, confidence: Double) {
        self.word = word
        self.start = start
        self.end = end
        self.confidence = confidence
    }
}
