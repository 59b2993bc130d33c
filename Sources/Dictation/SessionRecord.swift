import Authorization
import Recognition

/// The two records that frame a session, and the leases between them: written before anything is heard, and again when
/// nothing is heard any more.
struct SessionRecord {
    let description: SessionDescription
    let ledger: any Ledger
    let gate: Gate
    let leases: [Lease]

    /// Returns when the record is durable; only then may the session listen.
    func begin() async throws {
        do {
            try await ledger.record(.sessionStarted(description), changing: nil)
        } catch {
            await giveBackLeases()
            throw error
        }
    }

    /// Not to be kept from its work by the cancellation of a task whose client has gone.
    func end(_ ending: DictationEnding, frames: Int64) async throws {
        let write = Task {
            try await ledger.record(
                .sessionStopped(description, SessionOutcome(reason: ending.rawValue, frames: frames)), changing: nil)
        }
        let result = await write.result
        await giveBackLeases()
        _ = try result.get()
    }

    /// The end of a session that could not begin: an ended permission is the reason when there is one, and then the
    /// recogniser's refusal is no failure of it.
    func endUnopened(by error: any Error) async throws {
        if let ending = leases.lazy.compactMap(\.ending).first {
            return try await end(DictationEnding(ending), frames: 0)
        }
        if let error = error as? RecognitionError, error.code != .badAudio { await recordFailure(of: error) }
        try await end(.failed, frames: 0)
    }

    func recordFailure(of error: RecognitionError) async {
        let write = Task {
            try await ledger.record(
                .recognizerFailed(
                    session: description.identifier, client: description.requester.client.identifier,
                    reason: error.message), changing: nil)
        }
        // The session ends with the error either way; a log that cannot be written refuses the next one.
        _ = await write.result
    }

    private func giveBackLeases() async {
        for lease in leases { await gate.finish(lease) }
    }
}
