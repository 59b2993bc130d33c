import Authorization
import Synchronization

/// The two records that frame a session, and the leases between them: written before anything is heard, and again when
/// nothing is heard any more.
struct SessionRecord {
    let description: SessionDescription
    let ledger: any Ledger
    let gate: Gate
    let leases: [Lease]
    let abandonment: Abandonment
    let sharing: any SharingWatch

    /// Returns when the record is durable; only then may the session listen.
    func begin() async throws {
        do {
            try await ledger.record(.sessionStarted(description), changing: nil)
        } catch {
            await giveBackLeases()
            throw error
        }
    }

    /// - Throws: `SessionAbandoned` when nobody waits for the session any more.
    func checkGoingOn() throws {
        if let ending = abandonment.ending { throw SessionAbandoned(ending: ending) }
    }

    /// Writes down that the session could not start, for the reason that lies behind the error: an ended permission makes
    /// everything that stands on it fail.
    ///
    /// - Returns: the error to pass on.
    func end(failing error: any Error) async -> any Error {
        let ended = leases.first { $0.ending != nil }
        let ending: DictationEnding
        let reason: any Error
        if let lease = ended, let leaseEnding = lease.ending {
            ending = DictationEnding(leaseEnding)
            reason = await gate.refusal(of: lease.key.resource, for: description.requester)
        } else if let abandoned = error as? SessionAbandoned {
            (ending, reason) = (abandoned.ending, error)
        } else if let abandoned = abandonment.ending {
            (ending, reason) = (abandoned, SessionAbandoned(ending: abandoned))
        } else {
            (ending, reason) = (.failed, error)
            if let error = error as? RecognitionError { await recordFailure(of: error) }
        }
        // The error that came first is the one to tell; a log that cannot be written refuses the next session.
        try? await end(ending, frames: 0)
        return reason
    }

    /// Not to be kept from its work by the cancellation of a task whose client has gone.
    ///
    /// - Parameter sent: whether an engine outside of the service received anything.
    func end(_ ending: DictationEnding, frames: Int64, sent: Bool = false) async throws {
        let write = Task {
            // That a policy ends it is written by the gate, and stands before the end.
            if leases.contains(where: { $0.ending == .restricted }) { await gate.writesAreDone() }
            var ended = description
            let ofClient = await sharing.atEnd()
            if ended.engine == .ofService { ended.sharing = ofClient }
            try await ledger.record(
                .sessionStopped(ended, SessionOutcome(reason: ending.rawValue, frames: frames)), changing: nil)
            if sent, let shared = SharedData(sentIn: ended) {
                try await ledger.record(.dataShared(shared), changing: nil)
            }
            guard frames > 0, ofClient != .verified, let shared = SharedData(declaredIn: ended) else { return }
            try await ledger.record(.dataShared(shared), changing: nil)
        }
        let result = await write.result
        await giveBackLeases()
        _ = try result.get()
    }

    /// A sound file that cannot be read, a phrase that nobody can say, or a pool in full use, is no failure of a recogniser.
    func recordFailure(of error: RecognitionError) async {
        let ofClient: [RecognitionError.Code] = [
            .badAudio, .busy, .permissionEnded, .phraseRefused, .grammarRefused, .wordsRefused,
        ]
        guard !ofClient.contains(error.code) else { return }
        let write = Task {
            try await ledger.record(
                .recognizerFailed(
                    session: description.identifier, client: description.requester.client.identifier,
                    user: description.requester.caller.user, reason: error.message), changing: nil)
        }
        // The session ends with the error either way; a log that cannot be written refuses the next one.
        _ = await write.result
    }

    private func giveBackLeases() async {
        for lease in leases { await gate.finish(lease) }
    }
}

/// A session as whoever looks after all of them sees it.
public protocol EndableSession: Sendable {
    /// UUID.
    nonisolated var identifier: String { get }
    nonisolated var requester: Requester { get }
    /// Where its client stands now.
    nonisolated var presence: Presence { get }
    /// Whether what it hears can leave the machine, as it was found before it began.
    nonisolated var sharing: Sharing { get }

    /// Ends it for a reason that is not its own, at once and at whatever stage: what was heard is dropped, and a device
    /// that is not open yet stays closed.
    nonisolated func abandon(_ ending: DictationEnding)
}

/// A session that was given up before it listened: the client has gone, or the service stops.
public struct SessionAbandoned: Error, Sendable, Hashable {
    public let ending: DictationEnding

    public init(ending: DictationEnding) { self.ending = ending }
}

/// Remembers that a session was given up from outside, for the stages in which nobody listens to its queue.
final class Abandonment: Sendable {
    private enum State {
        case goingOn(handler: (@Sendable () -> Void)?)
        case abandoned(DictationEnding)
    }

    private let state = Mutex(State.goingOn(handler: nil))

    /// Why it was given up, or `nil`.
    var ending: DictationEnding? {
        state.withLock { if case .abandoned(let ending) = $0 { ending } else { nil } }
    }

    /// The first reason is the one that counts.
    func abandon(_ ending: DictationEnding) {
        let handler: (@Sendable () -> Void)? = state.withLock {
            guard case .goingOn(let handler) = $0 else { return nil }
            $0 = .abandoned(ending)
            return handler
        }
        handler?()
    }

    /// Runs the handler when it is given up, or at once when it was.
    func onAbandon(_ handler: @escaping @Sendable () -> Void) {
        let wasAbandoned = state.withLock {
            if case .abandoned = $0 { return true }
            $0 = .goingOn(handler: handler)
            return false
        }
        if wasAbandoned { handler() }
    }
}

/// Whether what a session's client gets can leave the machine through it.
public protocol SharingWatch: Sendable {
    /// As it was found before the session.
    var atStart: Sharing { get }

    /// Looks again, when the session is over; its client may be gone by then.
    func atEnd() async -> Sharing
}

/// What the client says, where nobody looked at its network.
public struct DeclaredSharing: SharingWatch {
    public let atStart: Sharing

    public init(_ requester: Requester) { atStart = Sharing(requester.client.manifest?.practices) }

    public func atEnd() async -> Sharing { atStart }
}
