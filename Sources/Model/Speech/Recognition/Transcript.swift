/// The text of one utterance. Times are seconds of audio since the session's first frame.
public struct Transcript: Sendable, Hashable, Codable {
    public let text: String
    public let start: Double
    public let end: Double
    public let words: [TranscribedWord]
    /// Alternative texts, the best first, without the text itself; empty unless requested.
    public let alternatives: [String]
    /// Decibels of the speech above its noise if they are too few for the words to be reliable: at 13 about three words in five
    /// are wrong. `nil`: the noise is low, or was not measured.
    public let noisyDecibels: Double?

    public init(
        text: String, start: Double, end: Double, words: [TranscribedWord], alternatives: [String] = [],
        noisyDecibels: Double? = nil
    ) {
        self.text = text
        self.start = start
        self.end = end
        self.words = words
        self.alternatives = alternatives
        self.noisyDecibels = noisyDecibels
    }

    /// Before the text of an unreliable utterance, in files that have no other place to say so.
    static let unreliableMark = "[unreliable]"

    /// The text, marked if it is unreliable.
    public var markedText: String {
        noisyDecibels == nil || text.isEmpty ? text : Self.unreliableMark + " " + text
    }

    private enum CodingKeys: String, CodingKey { case text, start, end, words, alternatives, noisyDecibels }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        text = try container.decode(String.self, forKey: .text)
        start = try container.decode(Double.self, forKey: .start)
        end = try container.decode(Double.self, forKey: .end)
        words = try container.decode([TranscribedWord].self, forKey: .words)
        alternatives = try container.decodeIfPresent([String].self, forKey: .alternatives) ?? []
        noisyDecibels = try container.decodeIfPresent(Double.self, forKey: .noisyDecibels)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(text, forKey: .text)
        try container.encode(start, forKey: .start)
        try container.encode(end, forKey: .end)
        try container.encode(words, forKey: .words)
        if !alternatives.isEmpty { try container.encode(alternatives, forKey: .alternatives) }
        try container.encodeIfPresent(noisyDecibels.map { ($0 * 10).rounded() / 10 }, forKey: .noisyDecibels)
    }
}

/// A word of a transcript.
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

/// The text so far of the current utterance.
public struct PartialTranscript: Sendable, Hashable, Codable {
    public let text: String
    /// UTF-8 bytes at the beginning of `text`, complete words, that every later partial of the utterance begins with. The final
    /// text may differ: it comes from a second pass.
    public let stablePrefix: Int

    public init(text: String, stablePrefix: Int) {
        self.text = text
        self.stablePrefix = stablePrefix
    }

    /// The beginning of `text` that `stablePrefix` counts.
    public var stableText: String { String(decoding: text.utf8.prefix(stablePrefix), as: UTF8.self) }
}
