import Authorization

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
