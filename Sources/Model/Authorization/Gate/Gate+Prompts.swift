import Foundation

extension Gate {
    /// Asks a question and waits for the outcome.
    ///
    /// - Returns: `nil` if nothing is asked, because too many prompts wait or one with the same key does.
    func ask(_ question: Question, _ resource: Resource, _ requester: Requester) async -> AuthorizationOutcome? {
        let key = requester.key(for: resource)
        let additions = unexpired(key)?.terms.map { book.additions(to: $0, by: requester.client, resource) }
        let notice = Notice(
            client: requester.client, resource: resource, question: question, language: requester.noticeLanguage,
            engine: configuration.engine, collector: configuration.collector, additions: additions ?? [])
        guard let notice else {
            return await refuse(.missingDescription(requester.client), resource, requester)
        }
        guard !endedProcesses.contains(requester.caller.process) else { return .unanswered(resource, requester) }
        guard pending[key] == nil, pending.keys.count(where: { $0.user == key.user }) < configuration.pendingPrompts
        else {
            _ = await recorded(AuthorizationError(.tooManyRequests, resource, requester), requester)
            return nil
        }
        if let refusal = refusalOfFlood(resource, requester) {
            return await block(.refused(status(of: resource, for: requester), refusal), requester)
        }
        let prompt = Prompt(
            cookie: configuration.newIdentifier(), requester: requester, resource: resource, question: question,
            notice: notice)
        pending[key] = PendingPrompt(prompt: prompt, task: Task { await self.prompt(prompt, key: key) })
        return await wait(for: key, as: requester, resource)
    }

    func wait(for key: DecisionKey, as requester: Requester, _ resource: Resource) async -> AuthorizationOutcome {
        guard let joined = pending[key] else {
            return .unanswered(resource, requester)
        }
        pending[key]?.waiters += 1
        let result = await withTaskCancellationHandler {
            await joined.task.value
        } onCancel: {
            Task { await self.waiterLeft(key, joined.prompt) }
        }
        let outcome = result ?? .unanswered(resource, requester)
        guard outcome.status == .authorized, outcome.refusal == nil else { return outcome }
        // A grant for one use belongs to the process that asked, not to one that joined it.
        return outcomeOfStanding(of: resource, for: requester)
    }

    private func waiterLeft(_ key: DecisionKey, _ prompt: Prompt) async {
        guard let joined = pending[key], joined.prompt.cookie == prompt.cookie else { return }
        pending[key]?.waiters -= 1
        // An answer that is being recorded counts.
        guard joined.waiters <= 1, !joined.isRecording else { return }
        withdraw(key)
        note(nil, to: prompt)
        _ = await recorded(AuthorizationError(.noAnswer, prompt.resource, prompt.requester), prompt.requester)
    }

    /// Withdraws a prompt: answers to it no longer count. A later request shows a new one.
    func withdraw(_ key: DecisionKey) {
        pending.removeValue(forKey: key)?.task.cancel()
    }

    /// Shows a prompt and applies its answer. The notice is recorded before it is shown, the answer before it takes effect.
    private func prompt(_ prompt: Prompt, key: DecisionKey) async -> AuthorizationOutcome {
        var end = PromptEnd.withdrawn
        defer {
            if pending[key]?.prompt.cookie == prompt.cookie { pending[key] = nil }
            prompt.end.set(end)
        }
        let requester = prompt.requester
        let noAnswer = AuthorizationOutcome.unanswered(prompt.resource, requester)
        func failed(_ error: any Error) -> AuthorizationOutcome {
            .refused(.notDetermined, AuthorizationError(unrecorded: error, prompt.resource, requester))
        }
        guard await agent.canAsk(prompt) else {
            return await block(noAnswer, requester)
        }
        let notice: UInt64
        do {
            guard isAnswerable(prompt, key) else { return outcomeOfStanding(of: prompt.resource, for: requester) }
            let asked = ledger.submit(.asked(prompt), changing: nil)
            let changed = shownNotices.differing(from: prompt).map {
                ledger.submit(.noticeChanged(prompt, previous: $0), changing: nil)
            }
            let index = try await asked.value
            _ = try await changed?.value
            guard isAnswerable(prompt, key) else { return outcomeOfStanding(of: prompt.resource, for: requester) }
            notice = try await ledger.record(.noticeShown(prompt, asked: index), changing: nil)
            shownNotices.note(prompt)
        } catch {
            return failed(error)
        }
        let reply = await answer(to: prompt)
        // If the request was withdrawn, or a policy or the settings decided meanwhile, the answer is dropped.
        guard isAnswerable(prompt, key) else { return outcomeOfStanding(of: prompt.resource, for: requester) }
        note(reply?.answer, to: prompt)
        guard let reply, prompt.answers.contains(reply.answer) else { return await block(noAnswer, requester) }
        pending[key]?.isRecording = true
        do {
            let prompt = prompt.confirmed(by: reply.confirmation)
            if try await commit(reply, to: prompt, notice: notice, key: key) { end = .recorded }
        } catch {
            end = .unrecorded
            return failed(error)
        }
        return reply.answer == .later
            ? outcomeOfDeferral(prompt) : outcomeOfStanding(of: prompt.resource, for: requester)
    }

    /// Whether the prompt was not withdrawn.
    func isAnswerable(_ prompt: Prompt, _ key: DecisionKey) -> Bool {
        pending[key]?.prompt.cookie == prompt.cookie
            && book.policy.restriction(of: key, at: configuration.now().date) == nil
    }

    /// - Returns: whether the answer is recorded; `false` if it no longer counts.
    private func commit(
        _ reply: AgentReply, to prompt: Prompt, notice: UInt64, key: DecisionKey
    ) async throws -> Bool {
        let requester = prompt.requester
        switch reply.answer {
        case .later:
            try await ledger.record(.deferred(prompt, reply.indication, notice: notice), changing: nil)
        case .once:
            // It would be recorded as granted, and never be in force.
            guard pending[key]?.isAbandoned != true else { return false }
            let fidelity = fidelity(of: reply, prompt)
            let answer = try await ledger.record(
                .granted(prompt, .once, fidelity, reply.indication, notice: notice), changing: nil)
            guard isAnswerable(prompt, key), pending[key]?.isAbandoned != true else { break }
            if case .temporaryFullFidelity = prompt.question {
                book.temporaryFidelity.allow(key, requester.caller.process, record: answer)
            } else {
                book.onceAnswers.allow(
                    key, requester.caller, fidelity: fidelity, agreed: prompt.notice.agreement, record: answer)
            }
            announce(key)
        case .whileInUse, .always, .deny:
            let (decision, event) = decision(reply, prompt, notice, key)
            try await make(.store(decision), recording: event)
        }
        return true
    }

    private func decision(
        _ reply: AgentReply, _ prompt: Prompt, _ notice: UInt64, _ key: DecisionKey
    ) -> (Decision, LedgerEvent) {
        let moment = configuration.now()
        guard reply.answer != .deny else {
            return (
                Decision(
                    key: key, verdict: .denied,
                    program: prompt.requester.isOnceAtMost ? AllowedProgram(prompt.requester.caller.executable) : nil,
                    terms: nil, indication: reply.indication,
                    decidedAt: moment.date), .denied(prompt, reply.indication, notice: notice)
            )
        }
        let terms = Terms(
            scope: .whileInUse, fidelity: fidelity(of: reply, prompt), usedAt: moment, reviewedAt: moment,
            agreed: prompt.notice.agreement)
        return (
            Decision(
                key: key, verdict: .authorized, program: AllowedProgram(prompt.requester.caller.executable),
                terms: terms,
                indication: reply.indication, decidedAt: moment.date),
            .granted(prompt, terms.scope, terms.fidelity, reply.indication, notice: notice)
        )
    }

    /// Reduced only for a client that declares phrases.
    private func fidelity(of reply: AgentReply, _ prompt: Prompt) -> Fidelity {
        if case .temporaryFullFidelity = prompt.question { return .full }
        // Only the first question offers fidelity; the others cannot raise it.
        if prompt.question != .firstUse,
            unexpired(prompt.requester.key(for: prompt.resource))?.terms?.fidelity == .reduced
        {
            return .reduced
        }
        guard prompt.resource == .speechRecognition, let manifest = prompt.requester.client.manifest,
            !manifest.phrases.isEmpty
        else { return .full }
        return manifest.prefersReducedFidelity ? .reduced : reply.fidelity
    }

    /// "Later" refuses a first request for now, and changes nothing otherwise.
    private func outcomeOfDeferral(_ prompt: Prompt) -> AuthorizationOutcome {
        let outcome = outcomeOfStanding(of: prompt.resource, for: prompt.requester)
        guard case .temporaryFullFidelity = prompt.question, outcome.status == .authorized else { return outcome }
        return .refused(.authorized, AuthorizationError(.noAnswer, prompt.resource, prompt.requester))
    }

    /// The first of: the agent's reply, the agent's failure, the timeout, cancellation. The request does not wait for an
    /// agent that ignores its cancellation.
    func answer(to prompt: Prompt) async -> AgentReply? {
        let (firstAnswer, continuation) = AsyncStream.makeStream(of: AgentReply?.self)
        let (agent, configuration) = (agent, configuration)
        let asking = Task { continuation.yield(try? await agent.ask(prompt)) }
        let waiting = Task {
            var renewals = -1
            // A person who is busy with the prompt gets more time, up to a limit.
            for _ in 0..<configuration.longestAttention where renewals != prompt.attention.renewals {
                renewals = prompt.attention.renewals
                try await configuration.sleep(configuration.answerTimeout)
            }
            continuation.yield(nil)
        }
        defer {
            asking.cancel()
            waiting.cancel()
        }
        // Ends without a value when this task is cancelled.
        for await reply in firstAnswer { return Task.isCancelled ? nil : reply }
        return nil
    }
}

/// A prompt that waits for the person, and the number of requests that wait for it.
struct PendingPrompt {
    let prompt: Prompt
    /// `nil`: it was not shown, at a quiet moment, when no request waits for it.
    let task: Task<AuthorizationOutcome?, Never>
    /// The person has answered.
    var isRecording = false
    /// The process that asked has ended.
    var isAbandoned = false
    var waiters = 0
}
