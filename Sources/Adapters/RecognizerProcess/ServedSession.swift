import Authorization
import RecognizerProtocol
import Speech

/// A worker's session. Used on the pool's thread.
final class ServedSession {
    private(set) var input = RecognitionConfiguration.Input.live
    /// The only possible texts; `nil`: any.
    private(set) var phrases: Set<String>?
    private var givesSound = false
    /// Samples of the sound that the worker gave since its last text.
    private var given = 0
    /// An utterance ends after 90 s.
    private static let mostGiven = 100 * 16_000
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
        givesSound = configuration.givesSound
        self.phrases = book.map { Set($0.phrases) }
        self.lease = lease
    }

    /// Refuses other texts than the phrases: a worker parses untrusted input and is not trusted itself.
    func check(_ event: RecognitionEvent) throws(ProtocolError) {
        switch event {
        case .sound(let samples):
            guard givesSound else { throw ProtocolError(code: .unexpected, message: "The sound was not requested.") }
            given += samples.count
            guard given <= Self.mostGiven else {
                throw ProtocolError(code: .unexpected, message: "The sound of an utterance has no end.")
            }
        case .final: given = 0
        default: break
        }
        guard let phrases else { return }
        switch event {
        case .speechStarted, .learnt, .progress, .finished, .failed: return
        case .final(let transcript) where phrases.contains(transcript.text) && transcript.words.isEmpty: return
        case .final, .partial, .sound:
            throw ProtocolError(code: .unexpected, message: "The event is not of one of the phrases.")
        }
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
        case .partial, .sound, .learnt, .progress: break
        }
    }

    /// - Parameters:
    ///   - isBehind: whether the worker has unread requests.
    ///   - isAlive: whether it has just replied or read.
    func noteSilence(at now: ContinuousClock.Instant, isBehind: Bool, isAlive: Bool) {
        if !isOwed && !isBehind { silentSince = nil } else if isAlive || silentSince == nil { silentSince = now }
    }
}
