extension Gate {
    /// Puts a policy in force: restricted sessions end at once, prompts it makes pointless are withdrawn. What that ends
    /// is written down behind the policy, and never as the person's own choice.
    ///
    /// - Throws: the ledger's error; the policy is in force all the same.
    public func apply(_ policy: Policy, source: PolicyProvenance) async throws {
        // One that is in force already came while no service ran: what it restricts is not written down yet.
        if policy == book.policy { restrictedGrants = [] }
        book.apply(policy)
        let write = enqueue(.policyChanged(policy, source: source), changing: nil)
        let consequences = restrict()
        _ = try await write.value
        for consequence in consequences { _ = try await consequence.value }
    }

    /// Ends what the policy in force restricts now; for rules with hours, when one of them begins or ends.
    public func enforcePolicy() async {
        // The policy holds, whether or not it can be written.
        for consequence in restrict() { _ = await consequence.result }
    }

    /// - Returns: what is being written down about it. Enqueued before the leases end, so that it stands before the
    ///   ends of their sessions.
    private func restrict() -> [Task<UInt64, any Error>] {
        let (policy, now) = (book.policy, configuration.now().date)
        let leases = liveLeases
        let keys = book.grantedKeys.union(leases.keys).filter { policy.restriction(of: $0, at: now) != nil }
        let writes = keys.subtracting(restrictedGrants).sorted().compactMap { key in
            policy.restriction(of: key, at: now).map { rule in
                enqueue(restriction(of: key, by: rule, leases[key] ?? []), changing: nil)
            }
        }
        restrictedGrants = keys
        endLeases(.restricted) { policy.restriction(of: $0, at: now) != nil }
        for key in pending.keys where policy.restriction(of: key, at: now) != nil { withdraw(key) }
        announce(AuthorizationChange(key: nil))
        return writes
    }

    private func restriction(of key: DecisionKey, by rule: PolicyRule, _ leases: [Lease]) -> LedgerEvent {
        let decision = book.decisions[key]?.record ?? leases.lazy.compactMap(\.decisionRecord).first
        return leases.isEmpty
            ? .restrictedByPolicy(key, rule, decision: decision)
            : .revokedByAdministrator(key, rule, leases: leases.map(\.identifier), decision: decision)
    }
}
