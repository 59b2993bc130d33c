/// From the person's answer to the records and decisions that it makes.
extension Gate {
    /// Records the answer, and puts it in force.
    ///
    /// - Returns: whether it is recorded; `false` if it no longer counts.
    func commit(_ reply: AgentReply, to prompt: Prompt, _ notices: [UInt64]) async throws -> Bool {
        if reply.answer != .always { book.upgradesShown.subtract(prompt.keys) }
        let answered = zip(prompt.resources, notices).map { (prompt.about($0), $1) }
        switch reply.answer {
        case .later:
            for (prompt, notice) in answered {
                try await ledger.record(.deferred(prompt, reply.indication, notice: notice), changing: nil)
            }
            return true
        case .once:
            for (prompt, notice) in answered {
                guard try await allowOnce(reply, prompt, notice) else { return false }
            }
            return true
        case .whileInUse, .always, .deny:
            let changes = answered.compactMap { prompt, notice in
                decision(reply, prompt).map { ($0, event(reply, prompt, notice, $0)) }
            }
            try await make(changes.map { (.store($0), $1) })
            return !changes.isEmpty
        }
    }

    /// - Returns: `false` if its process has ended.
    private func allowOnce(_ reply: AgentReply, _ prompt: Prompt, _ notice: UInt64) async throws -> Bool {
        let (key, caller, fidelity) = (prompt.key, prompt.requester.caller, fidelity(of: reply, prompt))
        // It would be recorded as granted, and never be in force.
        guard pending[key]?.isAbandoned != true else { return false }
        let record = try await ledger.record(
            .granted(prompt, .once, fidelity, reply.indication, notice: notice), changing: nil)
        guard isAnswerable(prompt), pending[key]?.isAbandoned != true else { return true }
        if case .temporaryFullFidelity = prompt.question {
            book.temporaryFidelity[key, caller.process] = TemporaryFidelity(record: record)
        } else {
            book.onceAnswers[key, caller.process] = OnceAnswer(
                executableSHA256: caller.executable.sha256, fidelity: fidelity, agreed: prompt.notice.agreement,
                record: record)
        }
        announce(key)
        return true
    }

    /// - Returns: `nil` if the grant that the question was about is gone or changed: it is not given again.
    private func decision(_ reply: AgentReply, _ prompt: Prompt) -> Decision? {
        let (moment, requester) = (configuration.now(), prompt.requester)
        var program: AllowedProgram? = AllowedProgram(requester.caller.executable)
        var terms: Terms? = Terms(
            scope: .whileInUse, fidelity: fidelity(of: reply, prompt), usedAt: moment, reviewedAt: moment,
            agreed: prompt.notice.agreement)
        if prompt.question.waitsForQuietMoment {
            guard let before = book[prompt.key], let reviewed = reviewed(before, reply, prompt, at: moment) else {
                return nil
            }
            (program, terms) = (before.program, reviewed)
        }
        if reply.answer == .deny {
            terms = nil
            if !requester.isOnceAtMost { program = nil }
        }
        return Decision(
            key: prompt.key, verdict: terms == nil ? .denied : .authorized, program: program, terms: terms,
            indication: reply.indication, decidedAt: moment.date)
    }

    private func event(_ reply: AgentReply, _ prompt: Prompt, _ notice: UInt64, _ decision: Decision) -> LedgerEvent {
        guard let terms = decision.terms else { return .denied(prompt, reply.indication, notice: notice) }
        return prompt.question.isRenewed(by: reply.answer)
            ? .renewed(
                prompt, terms.scope, terms.fidelity, reply.indication, notice: notice,
                decision: book[prompt.key]?.record)
            : .granted(prompt, terms.scope, terms.fidelity, reply.indication, notice: notice)
    }

    private func fidelity(of reply: AgentReply, _ prompt: Prompt) -> Fidelity {
        if case .temporaryFullFidelity = prompt.question { return .full }
        // Only the first question offers fidelity; the others cannot raise it.
        if prompt.question != .firstUse,
            unexpired(prompt.key)?.terms?.fidelity == .reduced
        {
            return .reduced
        }
        return prompt.requester.client.fidelity(of: prompt.resource, chosen: reply.fidelity)
    }
}
