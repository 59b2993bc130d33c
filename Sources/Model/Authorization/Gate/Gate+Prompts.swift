import Foundation

extension Gate {
    /// Asks a question that a request waits for, and waits for the outcome.
    ///
    /// - Returns: why it is refused, also if nothing is asked because too many prompts wait or one with the same key does.
    func ask(_ question: Question, _ resource: Resource, _ requester: Requester) async -> AuthorizationError? {
        let key = requester.key(for: resource)
        guard let prompt = prompt(question, [resource], requester) else {
            return await refuse(.missingDescription(requester.client), resource, requester)
        }
        guard !endedProcesses.contains(requester.caller.process) else {
            return AuthorizationError(.noAnswer, resource, requester)
        }
        let status = status(of: resource, for: requester)
        guard pending[key] == nil, pending.keys.count(where: { $0.user == key.user }) < configuration.pendingPrompts
        else { return await refuse(.tooManyRequests, resource, requester, status: status) }
        if let refusal = refusalOfFlood(resource, requester) { return await recorded(refusal.with(status), requester) }
        begin(prompt)
        return await wait(for: key, as: requester, resource)
    }

    /// - Returns: `nil` if there is no resource, or the manifest has no usage description for the first.
    func prompt(_ question: Question, _ resources: [Resource], _ requester: Requester) -> Prompt? {
        guard let first = resources.first else { return nil }
        let others = Array(resources.dropFirst())
        let terms = unexpired(requester.key(for: first))?.terms
        return Notice(
            client: requester.client, resource: first, and: others, question: question,
            language: requester.noticeLanguage, engine: configuration.engine, collector: configuration.collector,
            additions: terms.map { book.additions(to: $0, by: requester.client, first) } ?? []
        ).map {
            Prompt(
                cookie: configuration.newIdentifier(), requester: requester, resource: first, and: others,
                question: question, notice: $0)
        }
    }

    /// - Returns: the task that asks; cancelling it withdraws the prompt.
    @discardableResult
    func begin(_ prompt: Prompt) -> Task<AuthorizationError?, Never> {
        let task = Task { await self.settle(prompt) }
        for key in prompt.keys { pending[key] = PendingPrompt(prompt: prompt, task: task) }
        return task
    }

    func wait(for key: DecisionKey, as requester: Requester, _ resource: Resource) async -> AuthorizationError? {
        guard let joined = pending[key] else { return AuthorizationError(.noAnswer, resource, requester) }
        pending[key]?.waiters += 1
        let refusal = await withTaskCancellationHandler {
            await joined.task.value
        } onCancel: {
            Task { await self.waiterLeft(key, joined.prompt) }
        }
        // A grant for one use belongs to the process that asked, not to one that joined it.
        return refusal ?? refusalNow(of: resource, for: requester)
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

    /// Shows a prompt and applies its answer to each of its resources. The notices are recorded before it is shown, the answer
    /// before it takes effect. A decision about one of the resources meanwhile withdraws it.
    private func settle(_ prompt: Prompt) async -> AuthorizationError? {
        var end = PromptEnd.notShown
        defer { close(prompt, end) }
        let (resource, requester) = (prompt.resource, prompt.requester)
        if let reason = await reasonNotToAsk(prompt) {
            guard isAnswerable(prompt) else { return refusalNow(of: resource, for: requester) }
            return await unanswered(prompt, reason)
        }
        do {
            guard let notices = try await recordShowing(prompt) else {
                return refusalNow(of: resource, for: requester)
            }
            end = .withdrawn
            let reply = await answer(to: prompt)
            // If the request was withdrawn, or a policy or the settings decided meanwhile, the answer is dropped.
            guard isAnswerable(prompt) else { return refusalNow(of: resource, for: requester) }
            if !prompt.question.waitsForQuietMoment { note(reply?.answer, to: prompt) }
            guard let reply, prompt.answers.contains(reply.answer) else { return await unanswered(prompt) }
            for key in prompt.keys { pending[key]?.isRecording = true }
            end = .unrecorded
            let isRecorded = try await commit(reply, to: prompt.confirmed(by: reply.confirmation), notices)
            end = isRecorded ? .recorded : .withdrawn
            let refusal = refusalNow(of: resource, for: requester)
            // "Later" refuses full fidelity for now, and changes nothing.
            guard refusal == nil, reply.answer == .later, case .temporaryFullFidelity = prompt.question else {
                return refusal
            }
            return AuthorizationError(.noAnswer, resource, requester, status: .authorized)
        } catch {
            return AuthorizationError(unrecorded: error, resource, requester)
        }
    }

    /// A request waits for an agent; a question that the gate asks by itself does not. The prompt counts among the user's
    /// meanwhile, and is withdrawn as one that is shown.
    ///
    /// - Returns: `nil` if somebody can ask.
    private func reasonNotToAsk(_ prompt: Prompt) async -> RefusalReason? {
        if await agent.canAsk(prompt) { return nil }
        guard !prompt.question.waitsForQuietMoment, let arrivals = await agent.arrivals() else {
            return .noAgent(waited: 0)
        }
        let (agent, configuration) = (agent, configuration)
        let canAsk = await first {
            for await _ in arrivals where await agent.canAsk(prompt) { return true }
            throw CancellationError()
        } or: {
            try await configuration.sleep(configuration.agentTimeout)
            return false
        }
        return canAsk == true ? nil : .noAgent(waited: configuration.agentTimeout.components.seconds)
    }

    private func unanswered(_ prompt: Prompt, _ reason: RefusalReason = .noAnswer) async -> AuthorizationError {
        let refusal = AuthorizationError(reason, prompt.resource, prompt.requester)
        return prompt.question.waitsForQuietMoment ? refusal : await recorded(refusal, prompt.requester)
    }

    private func close(_ prompt: Prompt, _ end: PromptEnd) {
        for key in prompt.keys {
            if pending[key]?.prompt.cookie == prompt.cookie { pending[key] = nil }
            // Without an answer the client sees only now that it is not always.
            if book.upgradesShown.remove(key) != nil, book[key]?.terms?.scope != .always { announce(key) }
        }
        prompt.end.set(end)
    }

    /// Whether the prompt was not withdrawn.
    func isAnswerable(_ prompt: Prompt) -> Bool {
        let now = configuration.now().date
        return prompt.keys.allSatisfy {
            pending[$0]?.prompt.cookie == prompt.cookie && book.policy.restriction(of: $0, at: now) == nil
        }
    }

    /// Records for each resource that the question is asked, and then that it is shown.
    ///
    /// - Returns: the indexes of the notices' records; `nil` if the prompt is not to be shown any more.
    private func recordShowing(_ prompt: Prompt) async throws -> [UInt64]? {
        guard isAnswerable(prompt) else { return nil }
        let asked = prompt.resources.map { ledger.submit(.asked(prompt.about($0)), changing: nil) }
        let changed = shownNotices.differing(from: prompt).map {
            ledger.submit(.noticeChanged(prompt, previous: $0), changing: nil)
        }
        var indexes: [UInt64] = []
        for ticket in asked { indexes.append(try await ticket.value) }
        _ = try await changed?.value
        if prompt.question.waitsForQuietMoment {
            while let key = prompt.keys.first(where: { book.writing($0) != nil }) { await changesAreWritten(of: key) }
        }
        guard isAnswerable(prompt), let noted = noted(prompt) else { return nil }
        let shown = zip(prompt.resources, indexes).map { resource, index in
            let event = LedgerEvent.noticeShown(prompt.about(resource), asked: index)
            return noted[resource].map { amend($0, recording: event) } ?? ledger.submit(event, changing: nil)
        }
        var notices: [UInt64] = []
        var failure: (any Error)?
        // What is durable of one counts, also if that of the other fails.
        for (key, ticket) in zip(prompt.keys, shown) {
            do { notices.append(try await ticket.value) } catch { failure = failure ?? error }
            book.settle(key)
        }
        if let failure { throw failure }
        shownNotices.note(prompt)
        return isAnswerable(prompt) ? notices : nil
    }

    /// The first of: the agent's reply, the agent's failure, the timeout, cancellation. The request does not wait for an
    /// agent that ignores its cancellation.
    func answer(to prompt: Prompt) async -> AgentReply? {
        let (agent, configuration) = (agent, configuration)
        let reply = await first {
            try? await agent.ask(prompt)
        } or: {
            var renewals = -1
            // A person who is busy with the prompt gets more time, up to a limit.
            for _ in 0..<configuration.longestAttention where renewals != prompt.attention.renewals {
                renewals = prompt.attention.renewals
                try await configuration.sleep(configuration.answerTimeout)
            }
            return nil
        }
        return reply ?? nil
    }

    /// What the first of both returns that ends without an error; the other is cancelled.
    ///
    /// - Returns: `nil` if this task is cancelled.
    private func first<Value: Sendable>(
        _ one: @escaping @Sendable () async throws -> Value, or other: @escaping @Sendable () async throws -> Value
    ) async -> Value? {
        let (values, continuation) = AsyncStream.makeStream(of: Value.self)
        let tasks = [one, other].map { work in Task { continuation.yield(try await work()) } }
        defer { for task in tasks { task.cancel() } }
        // Ends without a value when this task is cancelled.
        for await value in values { return Task.isCancelled ? nil : value }
        return nil
    }
}

/// A prompt that waits for the person, and the number of requests that wait for it.
struct PendingPrompt {
    let prompt: Prompt
    let task: Task<AuthorizationError?, Never>
    /// The person has answered.
    var isRecording = false
    /// The process that asked has ended.
    var isAbandoned = false
    var waiters = 0
}
