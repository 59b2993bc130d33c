@testable import Authorization

/// A defect that the gate had, put back for a run.
enum Fault: CaseIterable {
    /// A denial ended leases at once, and was in the book only when it was durable.
    case denialAfterItsRecord
    /// A reset looked only for an answer in force, and not for one that was being written.
    case resetOfWhatIsInForce
    /// Expiry recorded one grant after the other, from a list that was made before the first.
    case expiryOfASnapshot
    /// A mute of any user ended the leases of all.
    case muteOfAllUsers
    /// A denial ended the leases of all users of the client.
    case denialForAllUsers
    /// A denial ended the leases of all resources.
    case denialForAllResources
    /// An answer to a question about two permissions was submitted for the second when it was durable for the first.
    case answersOneAfterTheOther
    /// After a failed write for the first of them the gate no longer settled the second.
    case answersUpToAFailure
    /// A grant for one use was valid in all processes of the client.
    case onceForAllProcesses
    /// The end of one process ended the grants for one use of all.
    case endOfAllProcesses
    /// Grants were used before the log was verified.
    case trustBeforeVerification
    /// The end of the verification put the mutes of the log in force, whatever was muted meanwhile.
    case mutesAsVerified
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
        try await make([(.remove(key), .withdrawn(key, notice: nil, decision: decision.record, by: caller))])
    }

    func expireSnapshot() async {
        for (key, reason) in book.expired(at: configuration.now()) where !hasLiveLease(of: key) {
            withdraw(key)
            try? await make([(.remove(key), .expired(key, reason))])
        }
    }

    func endLeases(beside key: DecisionKey, with fault: Fault?) {
        switch fault {
        case .denialForAllUsers: endLeases(.revoked) { $0.client == key.client && $0.resource == key.resource }
        case .denialForAllResources: endLeases(.revoked) { $0.client == key.client && $0.user == key.user }
        default: break
        }
    }

    func endAllLeases() { endLeases(.muted) { _ in true } }

    func allowOnce(_ key: DecisionKey, _ requester: Requester) {
        guard book.onceAnswers.contains(key) else { return }
        book.onceAnswers[key, requester.caller.process] = OnceAnswer(
            executableSHA256: requester.caller.executable.sha256, fidelity: .full, agreed: Agreement(), record: 0)
    }

    func applyStoredMutes() async {
        if let mutes = try? await ledger.mutes() { book.apply(mutes) }
    }

    /// Asks one question about all that the client is always allowed.
    func review(_ requester: Requester, with fault: Fault?) async {
        let keys = Resource.allCases.map { requester.key(for: $0) }.filter { book[$0]?.terms?.scope == .always }
        guard let first = keys.first?.resource else { return }
        let others = keys.dropFirst().map(\.resource)
        guard
            let notice = Notice(
                client: requester.client, resource: first, and: others, question: .review,
                language: requester.noticeLanguage, engine: configuration.engine, collector: nil)
        else { return }
        let prompt = Prompt(
            cookie: configuration.newIdentifier(), requester: requester, resource: first, and: others,
            question: .review, notice: notice)
        let task = Task {
            if let reply = await self.answer(to: prompt) {
                try? await self.store(reply, to: prompt, keys.compactMap { self.book[$0] }, with: fault)
            }
            return AuthorizationError?.none
        }
        for key in keys { pending[key] = PendingPrompt(prompt: prompt, task: task) }
        _ = await task.value
        for key in keys where pending[key]?.prompt.cookie == prompt.cookie { pending[key] = nil }
    }

    private func store(
        _ reply: AgentReply, to prompt: Prompt, _ grants: [Decision], with fault: Fault?
    ) async throws {
        let changes = grants.map { grant -> (DecisionChange, LedgerEvent) in
            let about = prompt.about(grant.key.resource)
            guard reply.answer != .deny, var terms = grant.terms else {
                let denial = Decision(
                    key: grant.key, verdict: .denied, program: nil, terms: nil, indication: reply.indication,
                    decidedAt: configuration.now().date)
                return (.store(denial), .denied(about, reply.indication, notice: 0))
            }
            terms.scope = reply.answer == .always ? .always : .whileInUse
            let renewed = Decision(
                key: grant.key, verdict: .authorized, program: grant.program, terms: terms,
                indication: reply.indication, decidedAt: configuration.now().date)
            return (
                .store(renewed),
                .renewed(about, terms.scope, terms.fidelity, reply.indication, notice: 0, decision: grant.record)
            )
        }
        if fault == .answersOneAfterTheOther {
            for change in changes { try await make([change]) }
        } else {
            let submissions = changes.map { submit($0.0, recording: $0.1) }
            for submission in submissions { try await settle(submission) }
        }
    }
}
