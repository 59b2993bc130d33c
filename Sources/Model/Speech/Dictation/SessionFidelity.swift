import Authorization
import Synchronization

/// How much of what a session recognises its client gets. At full fidelity everything; at reduced fidelity only that it
/// listens, which of the client's phrases were said, and that it ended. The time of speech, its level and the recogniser's
/// confidence would each reveal speech that is not a phrase.
final class SessionFidelity: Sendable {
    private struct Granted {
        /// Of the speech recognition; read at each event, because its fidelity can be lowered while the session runs.
        let lease: Lease
        /// `nil` if the client's phrases cannot be recognised; nothing passes then.
        let book: PhraseBook?
        /// The only task that is allowed; `nil`: any.
        let task: RecognitionTask?
    }

    /// `nil` before the grant: nothing passes.
    private let granted = Mutex<Granted?>(nil)

    /// - Parameter lease: of the speech recognition.
    func begin(_ lease: Lease, _ requester: Requester) {
        let phrases = requester.client.manifest?.phrases ?? []
        let task = lease.fidelity == .reduced ? RecognitionTask.phrases(phrases) : nil
        granted.withLock { $0 = Granted(lease: lease, book: try? PhraseBook(phrases), task: task) }
    }

    /// What may be recognised of what was requested: at reduced fidelity the client's phrases and nothing else, so that no
    /// fault behind the recogniser can reveal more.
    func allowed(_ requested: RecognitionConfiguration) -> RecognitionConfiguration {
        guard let task = granted.withLock({ $0?.task }) else { return requested }
        var allowed = requested
        allowed.task = task
        allowed.userWords = .none
        allowed.alternatives = 0
        allowed.required = []
        return allowed
    }

    var isReduced: Bool { granted.withLock { $0?.lease.fidelity != .full } }

    /// The event as the client gets it, or `nil`. Asked when an event is emitted, which decides what is kept of it, and when its client
    /// reads it: fidelity can be lowered in between.
    func passing(_ event: DictationEvent) -> DictationEvent? {
        guard let granted = granted.withLock({ $0 }) else { return nil }
        guard granted.lease.fidelity == .reduced else { return event }
        switch event {
        case .started, .paused, .resumed, .overrun, .progress:
            return event
        case .ended(let ending, let message):
            return .ended(ending, message: message == nil || ending != .failed ? message : Self.failure)
        case .final(let transcript):
            guard let phrase = granted.book?.phrase(transcript.text) else { return nil }
            return .final(Transcript(text: phrase, start: 0, end: 0, words: []))
        case .speechStarted, .partial, .level, .sound, .noSound:
            return nil
        }
    }

    /// An error as the client gets it.
    func passing(_ error: RecognitionError) -> RecognitionError {
        isReduced ? RecognitionError(code: error.code, message: Self.failure) : error
    }

    /// Replaces the recogniser's own message, which can depend on all that was said.
    private static let failure =
        "The device or the recogniser failed. See the service's log, then begin a new session."
}
