/// `POST /v1/voice-profile`: learns the voice of whoever reads sentences aloud. Every field may be absent. Answered with
/// a stream of `EnrolmentEvent`, one a line; `POST /v1/dictation/SESSION/end` ends the reading early.
public struct EnrolmentRequest: Sendable, Hashable, Codable {
    /// ALSA's PCM name; absent: the configured one, else `default`.
    public var device: String?
    /// What is to be read, 8 to 200 sentences of at most 1,000 characters; absent: two minutes of English.
    public var sentences: [String]?
    /// `false`: refuses at once where the person would have to be asked.
    public var ask: Bool?

    public init(device: String? = nil, sentences: [String]? = nil, ask: Bool? = nil) {
        self.device = device
        self.sentences = sentences
        self.ask = ask
    }
}
