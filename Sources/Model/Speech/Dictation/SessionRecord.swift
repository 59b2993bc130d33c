import Authorization

/// The two records that frame a session, and its leases: the first is durable before the session listens, the second is
/// written when it listens no more.
public struct SessionRecord: Sendable {
    let context: SessionContext
    public let description: SessionDescription
    let leases: [Lease]

    public init(_ context: SessionContext, _ leases: [Lease], device: String?, engine: SpeechEngine = .ofService) {
        self.context = context
        self.leases = leases
        description = SessionDescription(
            identifier: context.identifier, requester: context.requester, leases: leases, device: device,
            sharing: context.sharing.atStart, engine: engine, monitorAction: context.monitorAction)
    }

    /// How the first of its permissions that has ended did; `nil` while all are live.
    public var leaseEnding: DictationEnding? { leases.lazy.compactMap(\.ending).first.map { DictationEnding($0) } }

    /// Why its user is absent; `nil`: it may listen.
    public var absence: Absence? { leases.lazy.compactMap(\.absence).first }

    /// Whether all of its permissions reach a client of that presence.
    public func allowsListening(in presence: Presence) -> Bool {
        leases.allSatisfy { $0.ground(in: presence) != nil }
    }

    /// Returns when the record is durable; only then may the session listen.
    ///
    /// - Throws: the ledger's error, or `SessionAbandoned`. The leases are given back then.
    public func begin() async throws {
        do {
            try await context.ledger.record(.sessionStarted(description), changing: nil)
        } catch {
            await giveBackLeases()
            throw error
        }
        do {
            try checkNotAbandoned()
        } catch {
            throw await end(failing: error)
        }
        context.onEngine(context.identifier, description.engine)
    }

    public func checkNotAbandoned() throws(SessionAbandoned) {
        if let ending = context.abandoned.reason { throw SessionAbandoned(ending: ending) }
    }

    /// Records that the session could not start. The cause may be another than the error: an ended permission makes the
    /// device and the recogniser fail.
    ///
    /// - Returns: the error for the caller.
    public func end(failing error: any Error) async -> any Error {
        let ending: DictationEnding
        let reason: any Error
        if let lease = leases.first(where: { !$0.isLive }), let leaseEnding = lease.ending {
            ending = DictationEnding(leaseEnding)
            reason = await context.gate.refusal(of: lease.key.resource, for: description.requester)
        } else if let abandoned = (error as? SessionAbandoned)?.ending ?? context.abandoned.reason {
            (ending, reason) = (abandoned, SessionAbandoned(ending: abandoned))
        } else {
            (ending, reason) = (.failed, error)
            if let error = error as? RecognitionError { await recordFailure(of: error) }
        }
        // The first error is the one to report; a log that cannot be written refuses the next session.
        try? await end(SessionOutcome(reason: ending.rawValue, account: ListeningAccount()))
        return reason
    }

    /// Writes in its own task: the cancellation of the session's task, when its client disconnects, must not prevent it.
    ///
    /// - Parameters:
    ///   - outcome: its reason is a `DictationEnding`, or a monitor's.
    ///   - givesText: whether the client got text, which it may share; a monitor's does not.
    ///   - sent: whether an engine outside of the service received audio.
    public func end(_ outcome: SessionOutcome, givesText: Bool = true, sent: Bool = false) async throws {
        context.outcome.set(outcome)
        let write = Task {
            var ended = description
            let ofClient = await context.sharing.atEnd()
            if !ended.engine.isOutside { ended.sharing = ofClient }
            try await context.ledger.record(.sessionStopped(ended, outcome), changing: nil)
            if sent, let shared = SharedData(sentIn: ended) {
                try await context.ledger.record(.dataShared(shared), changing: nil)
            }
            guard givesText, outcome.account.heard > 0, ofClient != .verified,
                let shared = SharedData(declaredIn: ended)
            else {
                return
            }
            try await context.ledger.record(.dataShared(shared), changing: nil)
        }
        let result = await write.result
        await giveBackLeases()
        _ = try result.get()
    }

    /// Records that it listens to nothing while its user is absent. Returns when that is durable.
    func pause(_ absence: Absence) async {
        await record(.sessionPaused(session: description.identifier, client, user: user, absence))
    }

    func resume(_ absence: Absence) async {
        await record(.sessionResumed(session: description.identifier, client, user: user, absence))
    }

    private var client: ClientIdentifier { description.requester.client.identifier }
    private var user: UInt32 { description.requester.caller.user }

    /// In its own task, as `end`. If the log cannot be written, it refuses the next session.
    private func record(_ event: LedgerEvent) async {
        let write = Task { try await context.ledger.record(event, changing: nil) }
        _ = await write.result
    }

    /// Records a failure of the recogniser. An unreadable sound file, a refused phrase, grammar or word list, a full pool and
    /// an ended permission do not count.
    func recordFailure(of error: RecognitionError) async {
        let ofClient: [RecognitionError.Code] = [
            .badAudio, .busy, .permissionEnded, .phraseRefused, .grammarRefused, .wordsRefused, .languageUnavailable,
            .optionUnavailable,
        ]
        guard !ofClient.contains(error.code) else { return }
        // The session ends with the error either way.
        await record(
            .recognizerFailed(
                session: description.identifier, client: client, user: user, reason: error.message))
    }

    private func giveBackLeases() async {
        for lease in leases { await context.gate.finish(lease) }
    }
}
