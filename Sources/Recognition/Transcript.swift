/// The words of one utterance. Times are seconds of audio since the session's first frame.
public struct Transcript: Sendable, Hashable, Codable {
    public let text: String
    public let start: Double
    public let end: Double
    public let words: [TranscribedWord]

    public init(text: String, start: Double, end: Double, words: [TranscribedWord]) {
        self.text = text
        self.start = start
        self.end = end
        self.words = words
    }
}
