extension Gate {
    /// Puts a policy in force: restricted sessions end at once, prompts about restricted keys are withdrawn. The
    /// consequences are recorded after the policy.
    ///
    /// - Throws: the ledger's error; the policy is in force nevertheless.
    public func apply(_ policy: Policy, source: PolicyProvenance) async throws {
        // A policy already in force changed while no service ran: its restrictions are not recorded yet.
        if policy == book.policy { restrictedGrants = [] }
        book.apply(policy)
        let write = ledger.submit(.policyChanged(policy, source: source), changing: nil)
        let failure = await settle(restrict())
        _ = try await write.value
        if let failure { throw failure }
    }

    /// Applies the policy in force again; call when a rule's hours begin or end.
    public func enforcePolicy() async {
        // The policy is enforced whether or not that can be recorded.
        await settle(restrict())
    }

    /// Waits for the records of restrictions. One that could not be written is written when the policy is enforced again.
    ///
    /// - Returns: the first error.
    @discardableResult
    private func settle(_ writes: [(key: DecisionKey, ticket: Ticket)]) async -> (any Error)? {
        var first: (any Error)?
        for (key, ticket) in writes {
            do {
                _ = try await ticket.value
            } catch {
                restrictedGrants.remove(key)
                first = first ?? error
            }
        }
        return first
    }

    /// - Returns: the writes, submitted before the leases end, so that they precede the ends of the sessions.
    private func restrict() -> [(key: DecisionKey, ticket: Ticket)] {
        let (policy, now) = (book.policy, configuration.now().date)
        let leases = liveLeases
        let keys = book.grantedKeys.union(leases.keys).filter { policy.restriction(of: $0, at: now) != nil }
        let writes = keys.subtracting(restrictedGrants).sorted().compactMap { key in
            policy.restriction(of: key, at: now).map { rule in
                (key: key, ticket: ledger.submit(restriction(of: key, by: rule, leases[key] ?? []), changing: nil))
            }
        }
        restrictedGrants = keys
        endLeases(.restricted) { policy.restriction(of: $0, at: now) != nil }
        for key in pending.keys where policy.restriction(of: key, at: now) != nil { withdraw(key) }
        announceToAll()
        return writes
    }

    private func restriction(of key: DecisionKey, by rule: PolicyRule, _ leases: [Lease]) -> LedgerEvent {
        let decision = book[key]?.record ?? leases.lazy.compactMap(\.decisionRecord).first
        return leases.isEmpty
            ? .restrictedByPolicy(key, rule, decision: decision)
            : .revokedByAdministrator(key, rule, leases: leases.map(\.identifier), decision: decision)
    }
}
