import Foundation

extension Gate {
    /// Everything that settings show about one key.
    public func settled(_ key: DecisionKey) -> SettledStanding {
        let moment = configuration.now()
        let decision = book.decisions[key]
        let hasExpired = book.expired(at: moment).contains { $0.0 == key }
        let status = settledStatus(of: key)
        let kept = hasExpired ? nil : decision
        return SettledStanding(
            key: key, status: status == .authorized && hasExpired ? .notDetermined : status, decision: kept,
            restriction: book.policy.restriction(of: key, at: moment.date),
            isAllowedOnce: book.onceAnswers.hasAnswer(for: key),
            question: pending[key]?.question ?? kept.flatMap { waitingQuestion(about: $0, at: moment) },
            expiresAt: kept?.terms.flatMap { Self.date($0.usedAt, plus: configuration.expiry.unusedLimit) },
            reviewAt: kept?.terms.flatMap { terms in
                terms.scope == .always ? Self.date(terms.reviewedAt, plus: configuration.reviewInterval) : nil
            })
    }

    /// Keys with a decision of the user, or with a grant for one session.
    public func settledKeys(ofUser user: UInt32) -> Set<DecisionKey> {
        Set(book.decisions.keys).union(book.onceAnswers.keys).filter { $0.user == user }
    }

    /// The question about a grant that waits for a quiet moment.
    func waitingQuestion(about decision: Decision, at moment: Moment) -> Question? {
        guard let terms = decision.terms else { return nil }
        if terms.isProvisionalAlways { return .upgradeToAlways }
        guard terms.scope == .always else { return nil }
        if let elapsed = moment.elapsed(since: terms.reviewedAt), elapsed < configuration.reviewInterval { return nil }
        return .review
    }

    private static func date(_ moment: Moment, plus milliseconds: Int64) -> Date? {
        guard moment != .unknown else { return nil }
        return Date(timeIntervalSince1970: Double(moment.wall + milliseconds) / 1000)
    }

    static let day: Int64 = 86_400_000

    /// Removes expired grants and records that. Their status is `notDetermined` from their expiry on, whether or not this
    /// was called. Call from time to time.
    public func expireGrants() async {
        for (key, reason) in book.expired(at: configuration.now()) where !hasLiveLease(of: key) {
            book.remove(key)
            // If it cannot be recorded, the next start finds it again.
            _ = try? await record(.expired(key, reason), changing: .remove(key))
            announce(key)
        }
    }

    /// Restarts the time without use of a grant that a session uses.
    ///
    /// - Returns: the write that must finish before the session begins: the grant carries over to a replaced program.
    func noteUse(of key: DecisionKey, by requester: Requester) -> Task<UInt64, any Error>? {
        guard var decision = book.decisions[key], decision.verdict == .authorized, let terms = decision.terms else {
            return nil
        }
        var carrying: Task<UInt64, any Error>?
        lastRequesters[key] = requester
        let moment = configuration.now()
        let executable = requester.caller.executable
        if book.carriesOver(decision, to: executable), let previous = decision.program {
            let carried = Decision(
                key: key, verdict: .authorized, program: AllowedProgram(executable), terms: terms,
                indication: decision.indication, decidedAt: decision.decidedAt)
            book.amend(carried)
            carrying = enqueue(.carriedOver(requester, key.resource, from: previous), changing: .store(carried))
            decision = carried
        }
        let recorded = recordedUses[key] ?? terms.usedAt
        decision.terms?.usedAt = moment
        book.amend(decision)
        if moment.boot == recorded.boot, let elapsed = moment.elapsed(since: recorded), elapsed < Self.day {
            return carrying
        }
        recordedUses[key] = moment
        enqueue(.used(key), changing: .store(decision))
        return carrying
    }
}
