import Speech

/// Reports the phrases or sentences that a judge finds in each utterance, and no other speech.
public final class JudgedSpeech: UtteranceStrategy {
    /// What to report of an utterance, in order and without overlaps. Waits for the decoder.
    public typealias Judge = (Utterance) -> [Transcript]

    public let outbox: Outbox
    public let breath: Int?
    public let longLength: Int?
    private let judge: Judge
    private var reported = 0

    /// - Parameter longLength: frames after which a breath ends an utterance; `nil`: a sentence may be of any length.
    public init(outbox: Outbox, longLength: Int? = nil, judge: @escaping Judge) {
        self.judge = judge
        self.outbox = outbox
        self.longLength = longLength
        breath = longLength.map { _ in 25 }
    }

    public func ended(_ utterance: Utterance) {
        guard !KeyStrokes.isAll(of: utterance.samples) else { return }
        for transcript in judge(utterance) {
            outbox.speechStarted(reported, at: transcript.start)
            outbox.final(reported, transcript)
            reported += 1
        }
    }
}

/// What a judge finds in an utterance.
public enum SpeechVerdict<Sentence: Sendable>: Sendable {
    case sentence(Sentence)
    /// Words, but no sentence that is expected.
    case otherSpeech
    case noise

    public var sentence: Sentence? { if case .sentence(let sentence) = self { sentence } else { nil } }
}

extension JudgedSpeech {
    /// Of a grammar. Live, other speech is reported without words: somebody may wait for an answer, or for the silence after it.
    public convenience init(
        _ configuration: RecognitionConfiguration, outbox: Outbox,
        verdict: @escaping (Utterance) -> SpeechVerdict<[TranscribedWord]>
    ) {
        let isLive = configuration.input == .live
        self.init(outbox: outbox) { utterance in
            switch verdict(utterance) {
            case .sentence(let words): [utterance.transcript(of: words)]
            case .otherSpeech: isLive ? [utterance.transcript(of: [])] : []
            case .noise: []
            }
        }
    }
}
