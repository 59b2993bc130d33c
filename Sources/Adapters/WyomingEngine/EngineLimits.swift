/// What an engine outside of the service is given, and what is taken from it.
public struct EngineLimits: Sendable, Hashable {
    /// To connect, to take the audio and to answer: this, and a multiple of the utterance's length. The first utterance may
    /// load its model.
    public var answer: Duration
    public var answerPerSecond: Double
    /// Bytes of a transcript.
    public var text = 65_536
    /// Events before the transcript.
    public var events = 1_000
    /// Seconds of an utterance; what is longer is not sent.
    public var utterance = 95.0

    public init(answer: Duration = .seconds(10), answerPerSecond: Double = 2) {
        self.answer = answer
        self.answerPerSecond = answerPerSecond
    }

    func answer(to samples: Int) -> Duration { answer + .seconds(answerPerSecond * Double(samples) / 16_000) }
}
