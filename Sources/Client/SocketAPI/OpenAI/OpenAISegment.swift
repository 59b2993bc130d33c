import Foundation
import Speech

/// An utterance, with the fields that Whisper has. Some of them have no meaning for this recogniser; those are always
/// the same, and the same as of speech that nobody has to doubt.
public struct OpenAISegment: Sendable, Hashable, Codable {
    private enum CodingKeys: String, CodingKey {
        case id, seek, start, end, text, tokens, temperature
        case averageLogProbability = "avg_logprob"
        case compressionRatio = "compression_ratio"
        case noSpeechProbability = "no_speech_prob"
    }

    /// Counted from 0.
    public var id: Int
    /// Hundredths of a second before the utterance; Whisper counts its own window so.
    public var seek: Int
    public var start: Double
    public var end: Double
    public var text: String
    /// Empty: words are not cut into tokens.
    public var tokens: [Int]
    /// 0: nothing is left to chance.
    public var temperature: Double
    /// The mean of the natural logarithms of the words' confidences; a confidence counts as at least 0.0001.
    public var averageLogProbability: Double
    /// 1: a text is only what was heard, and never repeats itself for want of speech.
    public var compressionRatio: Double
    /// 0: where no voice was heard there is no segment.
    public var noSpeechProbability: Double

    public init(_ transcript: Transcript, number: Int) {
        id = number
        seek = Int((transcript.start * 100).rounded())
        start = transcript.start
        end = transcript.end
        text = transcript.text
        tokens = []
        temperature = 0
        let logarithms = transcript.words.map { log(min(max($0.confidence, 0.0001), 1)) }
        averageLogProbability = logarithms.isEmpty ? 0 : logarithms.reduce(0, +) / Double(logarithms.count)
        compressionRatio = 1
        noSpeechProbability = 0
    }
}
