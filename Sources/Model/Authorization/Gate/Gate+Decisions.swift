/// The path of a decision: submitted in order, in force in the book and on leases as far as it revokes, durable, then in
/// force as a whole.
extension Gate {
    /// A decision that was submitted and is not in force as a whole yet.
    struct Submission {
        let key: DecisionKey
        let ticket: Ticket
        /// What clients saw of the decision in force right after.
        let visible: Decision?
        let isAnnounced: Bool
        /// The decision that gave way to it, whose removal was submitted before.
        let displaced: DecisionKey?
    }

    /// What clients see of the decision in force, to be compared.
    private func visible(_ key: DecisionKey) -> Decision? {
        book[key].map {
            var terms = $0.terms
            terms?.usedAt = .unknown
            terms?.reviewedAt = .unknown
            terms?.reviewAskedAt = nil
            return Decision(
                key: key, verdict: $0.verdict, program: $0.program, terms: terms, indication: .settings,
                decidedAt: .distantPast)
        }
    }

    /// Makes decisions. What they revoke ends before this suspends; what they grant is in force when this returns, unless
    /// something was decided after it. A withdrawal erases what was kept with the permission.
    ///
    /// - Throws: the ledger's first error; what is revoked remains revoked until the service ends.
    func make(_ changes: [(DecisionChange, LedgerEvent)]) async throws {
        // All are submitted before one is durable, so that no other decision comes between them.
        let submissions = changes.map { submit($0, recording: $1) }
        for (change, _) in changes where change.decision?.verdict != .authorized {
            await configuration.eraseKept(change.key)
        }
        var failure: (any Error)?
        for submission in submissions {
            do { try await settle(submission) } catch { failure = failure ?? error }
        }
        if let failure { throw failure }
    }

    func submit(_ change: DecisionChange, recording event: LedgerEvent) -> Submission {
        let key = change.key
        let isNew = change.decision != nil && key.client.isUnregistered && book[key] == nil
        let displaced = isNew ? makeRoom(ofUser: key.user) : nil
        let before = visible(key)
        let hadPassingGrant = book.hasPassingGrant(key)
        if let terms = change.decision?.terms {
            for lease in liveLeases[key] ?? [] {
                if terms.scope != .always { lease.lowerScope() }
                if terms.fidelity == .reduced { lease.lowerFidelity() }
            }
        } else {
            // Time withdraws nothing that the person wants now.
            if case .expired = event {} else { noteRevocation(of: key) }
            endLeases(.revoked) { $0 == key }
        }
        let ticket = ledger.submit(event, changing: change)
        book.submitted(change, ticket)
        let after = visible(key)
        let isAnnounced = after != before || hadPassingGrant && !book.hasPassingGrant(key)
        if isAnnounced { announce(key) }
        return Submission(
            key: key, ticket: ticket, visible: after, isAnnounced: isAnnounced, displaced: displaced)
    }

    /// A user can name any number of programs without a manifest, so the oldest decision about one gives way to a new one.
    ///
    /// - Returns: its key.
    private func makeRoom(ofUser user: UInt32) -> DecisionKey? {
        let limit = configuration.decisionsOfUnregistered
        guard let oldest = book.oldestOfUnregistered(ofUser: user, limit: limit)?.key else { return nil }
        withdraw(oldest)
        // If it cannot be recorded, a denial stays, and the next decision tries again.
        _ = submit(.remove(oldest), recording: .expired(oldest, .tooMany))
        return oldest
    }

    /// Waits until the submitted decision is durable, and puts it in force.
    func settle(_ submission: Submission) async throws {
        var failure: (any Error)?
        do { _ = try await submission.ticket.value } catch { failure = error }
        book.settle(submission.key)
        if let displaced = submission.displaced {
            book.settle(displaced)
            announce(displaced)
        }
        if let failure { throw failure }
        // The grant may have moved to another program of the client.
        if let decision = book[submission.key], decision.verdict == .authorized {
            endLeases(of: submission.key, exceptOf: decision.program)
        }
        if !submission.isAnnounced || visible(submission.key) != submission.visible { announce(submission.key) }
    }

    /// Records something of a grant that changes nothing of what it permits. `decision`: made from `book.amendable`.
    @discardableResult
    func amend(_ decision: Decision, recording event: LedgerEvent) -> Ticket {
        let ticket = ledger.submit(event, changing: .store(decision))
        book.submitted(amendment: decision, ticket)
        return ticket
    }

    /// Returns when no change of the key is being written.
    func changesAreWritten(of key: DecisionKey) async {
        while let ticket = book.writing(key) { _ = try? await ticket.value }
    }
}

// MARK: Expiry and use

extension Gate {
    static let day: Int64 = 86_400_000

    /// Removes expired grants and records that, but none that the person is being asked to give again: the answer decides. Their
    /// status is `notDetermined` from their expiry on, whether or not this was called. Call from time to time.
    public func expireGrants() async {
        // The record of an expiry would make a changed row look right.
        guard verification.reason != nil else { return }
        let expired = book.expired(at: configuration.now())
        let submissions = expired.filter { !isAskedAgain($0.key) && !hasLiveLease(of: $0.key) }.map {
            withdraw($0.key)
            return submit(.remove($0.key), recording: .expired($0.key, $0.reason))
        }
        // If it cannot be recorded, the next start finds it again.
        for submission in submissions { try? await settle(submission) }
    }

    /// Whether a prompt is shown whose answer does not depend on the earlier grant.
    private func isAskedAgain(_ key: DecisionKey) -> Bool {
        switch pending[key]?.prompt.question {
        case .firstUse, .identityChanged, .termsWidened: true
        case .upgradeToAlways, .review, .temporaryFullFidelity, nil: false
        }
    }

    /// Restarts the time without use of a grant that a session uses.
    func noteUse(of key: DecisionKey) {
        let moment = configuration.now()
        book.used(key, at: moment)
        guard var decision = book.amendable(key), let recorded = decision.terms?.usedAt else { return }
        if moment.boot == recorded.boot, let elapsed = moment.elapsed(since: recorded), elapsed < Self.day { return }
        decision.terms?.usedAt = moment
        amend(decision, recording: .used(key))
    }

    /// Makes the grant one for the program that replaced the allowed one. Returns when that is durable.
    func carryOver(_ key: DecisionKey, to requester: Requester) async throws(AuthorizationError) {
        await changesAreWritten(of: key)
        let executable = requester.caller.executable
        guard let decision = book.amendable(key), let previous = decision.program,
            book.carriesOver(decision, to: executable)
        else { return }
        var terms = decision.terms
        terms?.usedAt = configuration.now()
        let carried = Decision(
            key: key, verdict: .authorized, program: AllowedProgram(executable), terms: terms,
            indication: decision.indication, decidedAt: decision.decidedAt, record: decision.record)
        let ticket = amend(carried, recording: .carriedOver(requester, key.resource, from: previous))
        do {
            _ = try await ticket.value
        } catch {
            throw AuthorizationError(unrecorded: error, key.resource, requester, status: .authorized)
        }
        book.settle(key)
        carryOverLeases(of: key, from: previous, to: AllowedProgram(executable))
    }
}
