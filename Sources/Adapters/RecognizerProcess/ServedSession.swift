import Authorization
import RecognizerProtocol
import Speech

/// A worker's session. Used on the pool's thread.
final class ServedSession {
    private(set) var input = RecognitionConfiguration.Input.live
    let queue = EventQueue<RecognitionEvent>()
    /// `nil` until the session that took the worker has begun.
    private(set) var lease: Lease?
    var conversation: Conversation
    /// The source's position of the session's first sample.
    var origin: Int64?
    /// Samples sent to the worker, including lost ones.
    var sent: Int64 = 0
    var worked = 0.0
    var isFinishing = false
    /// Since when the worker has work and has not replied.
    var silentSince: ContinuousClock.Instant?

    /// When the current utterance began.
    private var speakingSince: ContinuousClock.Instant?

    init(conversation: Conversation) {
        self.conversation = conversation
    }

    func adopt(_ configuration: RecognitionConfiguration, book: PhraseBook?, lease: Lease) {
        input = configuration.input
        self.lease = lease
        conversation.begin(configuration, phrases: book?.phrases)
    }

    var seconds: Double? { input == .live ? Double(sent) / 16_000 : nil }

    /// Whether a reply is due: workers report their progress once a second.
    var isOwed: Bool { isFinishing || Double(sent) / 16_000 - worked > 2 }

    /// A worker hangs if it does not reply, or if an utterance does not end.
    ///
    /// - Parameter isFile: whether it decodes a sound file with the lowest priority.
    func isHanging(at now: ContinuousClock.Instant, _ limits: RecognizerPool.Configuration, isFile: Bool) -> Bool {
        let timeout = limits.answerTimeout * (isFile ? limits.fileTimeoutFactor : 1)
        if let silentSince, now - silentSince > timeout { return true }
        guard input == .live, let speakingSince else { return false }
        return now - speakingSince > limits.utteranceTimeout
    }

    func noteUtterance(_ event: RecognitionEvent, at now: ContinuousClock.Instant) {
        switch event {
        case .speechStarted: speakingSince = now
        case .final, .finished, .failed: speakingSince = nil
        case .partial, .sound, .learnt, .progress, .incomplete: break
        }
    }

    /// - Parameters:
    ///   - isBehind: whether the worker has unread requests.
    ///   - isAlive: whether it has just replied or read.
    func noteSilence(at now: ContinuousClock.Instant, isBehind: Bool, isAlive: Bool) {
        if !isOwed && !isBehind { silentSince = nil } else if isAlive || silentSince == nil { silentSince = now }
    }
}
