import Authorization
import Synchronization

/// How much of what is heard a session may tell, from its grant on.
final class SessionFidelity: Sendable {
    private struct State {
        var filter: ReducedFidelityFilter?
        var phrases: RecognitionTask?
    }

    private let state = Mutex(State())

    /// - Parameter lease: of the speech recognition.
    /// - Throws: `reducedFidelity` when only phrases may be told and the client has none.
    func begin(_ lease: Lease, _ requester: Requester, _ gate: Gate) async throws(AuthorizationError) {
        let phrases = requester.client.manifest?.phrases ?? []
        let isReduced = lease.fidelity == .reduced
        if isReduced && phrases.isEmpty { throw await gate.refusalOfReducedFidelity(for: requester) }
        state.withLock {
            $0.filter = ReducedFidelityFilter(lease: lease, phrases: phrases)
            // What is not recognised at all cannot come out by any mistake after it.
            if isReduced { $0.phrases = .phrases(phrases) }
        }
    }

    /// What may be recognised of what was asked for: at reduced fidelity the client's phrases and nothing else.
    func allowed(_ asked: RecognitionConfiguration) -> RecognitionConfiguration {
        guard let phrases = state.withLock({ $0.phrases }) else { return asked }
        var allowed = asked
        allowed.task = phrases
        allowed.userWords = .none
        allowed.alternatives = 0
        return allowed
    }

    /// Whether only phrases may be told now. Nothing may before the grant.
    var isReduced: Bool { state.withLock { $0.filter?.isReduced ?? true } }

    func passing(_ event: DictationEvent) -> DictationEvent? {
        guard let filter = state.withLock({ $0.filter }) else { return nil }
        return filter.passing(event)
    }

    /// An error that its client may see.
    func passing(_ error: RecognitionError) -> RecognitionError {
        isReduced ? RecognitionError(code: error.code, message: ReducedFidelityFilter.failure) : error
    }
}

/// What of a session's events its client gets. At full fidelity everything; at reduced fidelity only that it listens, that
/// one of the client's phrases was said, and that it ended. When speech began, how loud it was and how sure the recogniser
/// is would each tell of what is no phrase.
struct ReducedFidelityFilter: Sendable {
    private let lease: Lease
    private let book: PhraseBook?

    /// - Parameters:
    ///   - lease: of the speech recognition; asked at each event, because it can be lowered while the session runs.
    ///   - phrases: of the client's manifest.
    init(lease: Lease, phrases: [String]) {
        self.lease = lease
        // Phrases that cannot be listened for let nothing through.
        self.book = try? PhraseBook(phrases)
    }

    var isReduced: Bool { lease.fidelity == .reduced }

    /// The event as the client gets it, or `nil`.
    func passing(_ event: DictationEvent) -> DictationEvent? {
        guard isReduced else { return event }
        switch event {
        case .started, .paused, .resumed, .overrun, .progress, .fallback:
            return event
        case .ended(let ending, let message):
            return .ended(ending, message: message == nil || ending != .failed ? message : Self.failure)
        case .final(let transcript):
            guard let phrase = book?.phrase(transcript.text) else { return nil }
            return .final(Transcript(text: phrase, start: 0, end: 0, words: []))
        case .speechStarted, .partial, .level, .noisy:
            return nil
        }
    }

    /// What a recogniser says of its failure is not passed on: it has heard everything.
    static let failure = "The device or the recogniser failed; the service's log says more. Begin a new session."
}
