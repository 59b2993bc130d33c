/// The text of an utterance that is not over.
public struct PartialTranscript: Sendable, Hashable, Codable {
    public let text: String
    /// How many UTF-8 bytes at the beginning of `text` later partials of the same utterance are not expected to change.
    public let stablePrefix: Int

    public init(text: String, stablePrefix: Int) {
        self.text = text
        self.stablePrefix = stablePrefix
    }
}
