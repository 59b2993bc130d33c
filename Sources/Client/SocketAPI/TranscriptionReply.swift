import Speech

/// `POST /v1/audio/transcriptions` with a sound file as the body.
///
/// With `Accept: application/x-ndjson` the answer is a stream of `TimedDictationEvent` instead, each utterance as soon as
/// it is decoded.
public struct TranscriptionReply: Sendable, Hashable, Codable {
    public var text: String
    public var segments: [Transcript]

    public init(segments: [Transcript]) {
        self.segments = segments
        self.text = segments.map(\.text).filter { !$0.isEmpty }.joined(separator: " ")
    }
}
