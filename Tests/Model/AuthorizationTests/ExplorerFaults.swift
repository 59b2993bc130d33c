@testable import Authorization

/// A defect that the gate had, put back for a run.
enum Fault: CaseIterable {
    /// A denial ended leases at once, and was in the book only when it was durable.
    case denialAfterItsRecord
    /// A reset looked only for an answer in force, and not for one that was being written.
    case resetOfWhatIsInForce
    /// Expiry recorded one grant after the other, from a list that was made before the first.
    case expiryOfASnapshot
    /// A mute of any user muted all.
    case muteOfAllUsers
}

extension Gate {
    func denyAfterRecording(_ key: DecisionKey, by caller: Caller) async throws {
        let denial = Decision(
            key: key, verdict: .denied, program: nil, terms: nil, indication: .settings,
            decidedAt: configuration.now().date)
        withdraw(key)
        endLeases(.revoked) { $0 == key }
        let ticket = ledger.submit(
            .decidedInSettings(key, .denied, nil, notice: nil, by: caller), changing: .store(denial))
        _ = try await ticket.value
        book.submitted(.store(denial), ticket)
        book.settle(key)
        announce(key)
    }

    func resetInForce(_ key: DecisionKey, by caller: Caller) async throws {
        withdraw(key)
        guard let decision = book[key] else { return }
        try await make(.remove(key), recording: .withdrawn(key, notice: nil, decision: decision.record, by: caller))
    }

    func expireSnapshot() async {
        for (key, reason) in book.expired(at: configuration.now()) where !hasLiveLease(of: key) {
            withdraw(key)
            _ = try? await make(.remove(key), recording: .expired(key, reason))
        }
    }
}
