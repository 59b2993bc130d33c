/// The text of an utterance that is not over.
public struct PartialTranscript: Sendable, Hashable, Codable {
    public let text: String
    /// How many UTF-8 bytes at the beginning of `text`, whole words, are there in every later partial of the same
    /// utterance, too. The final text may differ: it comes of a second pass over all that was said.
    public let stablePrefix: Int

    public init(text: String, stablePrefix: Int) {
        self.text = text
        self.stablePrefix = stablePrefix
    }
}
