import Authorization
import RecognizerProtocol
import Speech

/// What a worker does for a session. Lives on the pool's thread.
final class ServedSession {
    private(set) var input = RecognitionConfiguration.Input.live
    /// All that may come out, when not anything may.
    private(set) var phrases: Set<String>?
    let queue = EventQueue<RecognitionEvent>()
    /// `nil` until the session that took the worker has begun.
    private(set) var lease: Lease?
    var conversation: Conversation
    /// The position of the session's first sample, as its source counts.
    var origin: Int64?
    /// Samples given to the worker, lost ones counted.
    var sent: Int64 = 0
    var worked = 0.0
    var isFinishing = false
    /// Since when the worker has work and is silent.
    var silentSince: ContinuousClock.Instant?

    /// Since when an utterance waits for its final text.
    private var speakingSince: ContinuousClock.Instant?

    init(conversation: Conversation) {
        self.conversation = conversation
    }

    func adopt(_ input: RecognitionConfiguration.Input, book: PhraseBook?, lease: Lease) {
        self.input = input
        self.phrases = book.map { Set($0.phrases) }
        self.lease = lease
    }

    /// A worker parses what clients send, so it is not believed that it keeps to the phrases.
    func check(_ event: RecognitionEvent) throws(ProtocolError) {
        guard let phrases else { return }
        switch event {
        case .speechStarted, .progress, .finished, .failed: return
        case .final(let transcript) where phrases.contains(transcript.text) && transcript.words.isEmpty: return
        case .learnt: return
        case .final, .partial, .noisy, .fellBack:
            throw ProtocolError(code: .unexpected, message: "It told of something else than one of the phrases.")
        }
    }

    var seconds: Double? { input == .live ? Double(sent) / 16_000 : nil }

    /// Whether the worker owes us a word: it tells of its progress once a second.
    var isOwed: Bool { isFinishing || Double(sent) / 16_000 - worked > 2 }

    /// One that goes on hearing and never comes to an end with an utterance hangs as well as a silent one.
    ///
    /// - Parameter hasCrew: whether it works on a file behind everybody else.
    func isHanging(
        at now: ContinuousClock.Instant, _ limits: RecognizerPool.Configuration, hasCrew: Bool
    ) -> Bool {
        let patience = limits.answerTimeout * (hasCrew ? limits.filePatience : 1)
        if let silentSince, now - silentSince > patience { return true }
        guard input == .live, let speakingSince else { return false }
        return now - speakingSince > limits.utteranceTimeout
    }

    func noteUtterance(_ event: RecognitionEvent, at now: ContinuousClock.Instant) {
        switch event {
        case .speechStarted: speakingSince = now
        case .final, .finished, .failed: speakingSince = nil
        case .partial, .noisy, .learnt, .progress, .fellBack: break
        }
    }

    /// - Parameters:
    ///   - isBehind: whether the worker has yet to take what was written to it.
    ///   - sign: whether it has just given a sign of life.
    func noteSilence(at now: ContinuousClock.Instant, isBehind: Bool, sign: Bool) {
        if !isOwed && !isBehind { silentSince = nil } else if sign || silentSince == nil { silentSince = now }
    }
}
