import Foundation

extension Gate {
    /// Asks a question and waits for the outcome.
    ///
    /// - Returns: `nil` if nothing is asked, because too many prompts wait or one with the same key does.
    func ask(_ question: Question, _ resource: Resource, _ requester: Requester) async -> AuthorizationOutcome? {
        let notice = Notice(
            client: requester.client, resource: resource, question: question, language: requester.noticeLanguage,
            engine: configuration.engine)
        guard let notice else {
            return await refuse(.missingDescription(requester.client), resource, requester)
        }
        let key = requester.key(for: resource)
        guard pending[key] == nil, pending.keys.count(where: { $0.user == key.user }) < configuration.pendingPrompts
        else {
            _ = await recorded(AuthorizationError(.tooManyRequests, resource, requester), requester)
            return nil
        }
        if let refusal = refusalOfFlood(question, resource, requester) {
            return await block(.refused(status(of: resource, for: requester), refusal), requester)
        }
        let prompt = Prompt(
            cookie: configuration.newIdentifier(), requester: requester, resource: resource, question: question,
            notice: notice)
        let epoch = epochs[key, default: 0]
        let task = Task { await self.prompt(prompt, key: key, epoch: epoch) }
        pending[key] = PendingPrompt(cookie: prompt.cookie, question: question, task: task, waiters: 0)
        return await wait(for: key, as: requester, resource)
    }

    func wait(for key: DecisionKey, as requester: Requester, _ resource: Resource) async -> AuthorizationOutcome {
        guard let joined = pending[key] else {
            return .refused(.notDetermined, AuthorizationError(.noAnswer, resource, requester))
        }
        pending[key]?.waiters += 1
        let outcome = await withTaskCancellationHandler {
            await joined.task.value
        } onCancel: {
            Task { await self.waiterLeft(key, cookie: joined.cookie) }
        }
        guard outcome.status == .authorized, outcome.refusal == nil else { return outcome }
        // A grant for one session belongs to the process that asked, not to one that joined it.
        return outcomeOfStanding(of: resource, for: requester)
    }

    private func waiterLeft(_ key: DecisionKey, cookie: String) {
        guard let joined = pending[key], joined.cookie == cookie else { return }
        pending[key]?.waiters -= 1
        if joined.waiters <= 1 { withdraw(key) }
    }

    /// Withdraws a prompt. A later request shows a new one.
    func withdraw(_ key: DecisionKey) {
        pending.removeValue(forKey: key)?.task.cancel()
    }

    /// Shows a prompt and applies its answer. The notice is recorded before it is shown, the answer before it takes effect.
    private func prompt(_ prompt: Prompt, key: DecisionKey, epoch: UInt64) async -> AuthorizationOutcome {
        defer { if pending[key]?.cookie == prompt.cookie { pending[key] = nil } }
        let requester = prompt.requester
        let noAnswer = AuthorizationOutcome.refused(
            .notDetermined, AuthorizationError(.noAnswer, prompt.resource, requester))
        let failed = AuthorizationOutcome.refused(
            .notDetermined, AuthorizationError(.recordingFailed, prompt.resource, requester))
        guard await agent.canAsk(prompt) else {
            // At a quiet moment no request waits that could be refused.
            return prompt.question.waitsForQuietMoment ? noAnswer : await block(noAnswer, requester)
        }
        let notice: UInt64
        do {
            let asked = try await record(.asked(prompt), changing: nil)
            if let before = shownNotices.differing(from: prompt) {
                try await record(.noticeChanged(prompt, previous: before), changing: nil)
            }
            let change = changeOfShowing(prompt, key)
            notice = try await record(.noticeShown(prompt, asked: asked), changing: change)
            shownNotices.note(prompt)
        } catch {
            return failed
        }
        let reply = await answer(to: prompt)
        // If a policy or the settings decided meanwhile, the answer is dropped.
        guard isAnswerable(key, epoch) else { return outcomeOfStanding(of: prompt.resource, for: requester) }
        note(reply?.answer, to: prompt)
        guard let reply, prompt.answers.contains(reply.answer) else { return await block(noAnswer, requester) }
        do {
            return try await commit(reply, to: prompt, notice: notice, key: key, epoch: epoch)
        } catch {
            return failed
        }
    }

    private func isAnswerable(_ key: DecisionKey, _ epoch: UInt64) -> Bool {
        epochs[key, default: 0] == epoch && !book.isMuted
            && book.policy.restriction(of: key, at: configuration.now().date) == nil
    }

    /// The upgrade is asked once: that is stored with the notice, before the prompt is visible.
    private func changeOfShowing(_ prompt: Prompt, _ key: DecisionKey) -> DecisionChange? {
        if prompt.question == .review { reviewsAsked[key] = configuration.now() }
        guard prompt.question == .upgradeToAlways, var decision = book.decisions[key] else { return nil }
        decision.terms?.upgrade = .asked
        book.amend(decision)
        return .store(decision)
    }

    private func commit(
        _ reply: AgentReply, to prompt: Prompt, notice: UInt64, key: DecisionKey, epoch: UInt64
    ) async throws -> AuthorizationOutcome {
        let (requester, resource) = (prompt.requester, prompt.resource)
        committing.insert(key)
        defer { committing.remove(key) }
        switch reply.answer {
        case .later:
            try await record(.deferred(prompt, reply.indication, notice: notice), changing: nil)
            return outcomeOfDeferral(prompt)
        case .once:
            let fidelity = fidelity(of: reply, prompt)
            let answer = try await record(
                .granted(prompt, .once, fidelity, reply.indication, notice: notice), changing: nil)
            guard isAnswerable(key, epoch) else { break }
            if case .temporaryFullFidelity = prompt.question {
                book.temporaryFidelity.allow(key, requester.caller.process, record: answer)
            } else {
                book.onceAnswers.allow(
                    key, requester.caller, fidelity: fidelity, kept: prompt.notice.practices.kept, record: answer)
            }
        case .whileInUse, .always, .deny:
            try await commitDecision(reply, to: prompt, notice: notice, key: key, epoch: epoch)
        }
        announce(key)
        return outcomeOfStanding(of: resource, for: requester)
    }

    private func commitDecision(
        _ reply: AgentReply, to prompt: Prompt, notice: UInt64, key: DecisionKey, epoch: UInt64
    ) async throws {
        var decision = decision(reply, prompt, key)
        let event: LedgerEvent
        if let terms = decision.terms {
            event =
                prompt.question.isRenewed(by: reply.answer)
                ? .renewed(
                    prompt, terms.scope, terms.fidelity, reply.indication, notice: notice,
                    decision: book.decisions[key]?.record)
                : .granted(prompt, terms.scope, terms.fidelity, reply.indication, notice: notice)
            // A restriction takes effect before it is recorded.
            if terms.scope != .always { lowerScope(of: key) }
            if terms.fidelity == .reduced { lowerFidelity(of: key) }
        } else {
            event = .denied(prompt, reply.indication, notice: notice)
            // Denying a changed program ends the sessions of the allowed one too.
            endLeases(.revoked) { $0 == key }
        }
        decision.record = try await record(event, changing: .store(decision))
        // Settings changed meanwhile were recorded after this answer, and override it.
        if epochs[key, default: 0] == epoch { book.store(decision) }
    }

    private func decision(_ reply: AgentReply, _ prompt: Prompt, _ key: DecisionKey) -> Decision {
        let moment = configuration.now()
        var terms: Terms?
        var program: AllowedProgram?
        if reply.answer != .deny {
            program = AllowedProgram(prompt.requester.caller.executable)
            let scope: Scope = reply.answer == .always ? .always : .whileInUse
            switch prompt.question {
            case .upgradeToAlways, .review:
                terms = book.decisions[key]?.terms
                terms?.scope = scope
                terms?.upgrade = .asked
                terms?.reviewedAt = moment
                // The question did not mention keeping, so the answer can only reduce what is kept.
                if let agreed = terms?.kept { terms?.kept = agreed.limited(by: prompt.notice.practices.kept) }
                program = book.decisions[key]?.program
            case .firstUse, .identityChanged, .temporaryFullFidelity:
                terms = Terms(
                    scope: .whileInUse, fidelity: fidelity(of: reply, prompt), usedAt: moment, reviewedAt: moment,
                    kept: prompt.notice.practices.kept, engine: configuration.engine.recipient)
            }
        }
        return Decision(
            key: key, verdict: terms == nil ? .denied : .authorized, program: program, terms: terms,
            indication: reply.indication, decidedAt: configuration.now().date)
    }

    /// Reduced only for a client that declares phrases.
    private func fidelity(of reply: AgentReply, _ prompt: Prompt) -> Fidelity {
        if case .temporaryFullFidelity = prompt.question { return .full }
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
    private func answer(to prompt: Prompt) async -> AgentReply? {
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
    let cookie: String
    let question: Question
    let task: Task<AuthorizationOutcome, Never>
    var waiters: Int
}
