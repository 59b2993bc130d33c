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
