import Authorization

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
