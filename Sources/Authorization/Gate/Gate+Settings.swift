import Foundation

extension Gate {
    /// Settles a status without a prompt, as the person's settings do.
    ///
    /// A no takes hold first and is written down then; a yes is written down first.
    /// - Parameter executableSHA256: the program's digest, needed for a yes.
    /// - Throws: the ledger's error. A no holds all the same until the service ends.
    public func decide(
        _ verdict: Verdict, for key: DecisionKey, executableSHA256: String?, by caller: Caller
    ) async throws {
        let decision = Decision(
            key: key, verdict: verdict, executableSHA256: executableSHA256, indication: .settings,
            decidedAt: configuration.now())
        let epoch = advanceEpoch(of: key)
        if verdict == .denied {
            book.store(decision)
            endLeases(.revoked) { $0 == key }
        }
        try await record(.decidedInSettings(key, verdict, by: caller), changing: .store(decision))
        if verdict == .authorized, epochs[key] == epoch { book.store(decision) }
        announce(AuthorizationChange(key: key))
    }

    /// Takes an answer back: the status is `notDetermined` again, and sessions that stood on it end.
    public func reset(_ key: DecisionKey, by caller: Caller) async throws {
        advanceEpoch(of: key)
        // An answer that is being written is not in the book yet; the ledger keeps the order of the two.
        let hasAnswer = book.remove(key) || committing.contains(key)
        endLeases(.revoked) { $0 == key }
        guard hasAnswer else { return }
        try await record(.withdrawn(key, by: caller), changing: .remove(key))
        announce(AuthorizationChange(key: key))
    }

    /// Puts a policy in force: restricted sessions end at once, prompts it makes pointless are withdrawn.
    ///
    /// - Throws: the ledger's error; the policy is in force all the same.
    public func apply(_ policy: Policy, source: PolicyProvenance) async throws {
        book.apply(policy)
        endLeases(.restricted) { policy.restriction(of: $0) != nil }
        for key in pending.keys where policy.restriction(of: key) != nil { withdraw(key) }
        announce(AuthorizationChange(key: nil))
        try await record(.policyChanged(policy, source: source), changing: nil)
    }

    @discardableResult
    private func advanceEpoch(of key: DecisionKey) -> UInt64 {
        epochs[key, default: 0] += 1
        withdraw(key)
        return epochs[key, default: 0]
    }
}
