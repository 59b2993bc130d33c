/// The questions that no request waits for: whether a provisional always is to become one, asked once, and whether an always is
/// to stay, asked after the review interval and then at most once a day. The decisions alone determine the due questions, so a
/// restart loses none. One question is about all resources of a client for which it is due, and its answer decides them all.
extension Gate {
    /// Asks what is due, one client after the other. Call when the person's terminal or desktop is active. Asks nothing while a
    /// session of the user runs or a prompt is shown.
    ///
    /// - Parameter registered: a client as its manifest and its program on disk describe it; it need not run. `nil` if there
    ///   no longer exists.
    /// - Returns: the number of prompts shown.
    @discardableResult
    public func askAtQuietMoment(
        user: UInt32, registered: @Sendable (ClientIdentifier) async -> Requester?
    ) async -> Int {
        guard await grantsAreTrusted() else { return 0 }
        let moment = configuration.now()
        let clients = Set(
            book.decisions(ofUser: user).filter { waitingQuestion(about: $0, at: moment) != nil }.map(\.key.client))
        var shown = 0
        for client in clients.sorted(by: { $0.rawValue < $1.rawValue }) {
            guard let requester = await registered(client), requester.caller.user == user else { continue }
            for question in [Question.upgradeToAlways, .review] {
                // What was decided during an earlier question counts.
                guard !isListening(user: user), pending.keys.allSatisfy({ $0.user != user }) else { return shown }
                if await ask(question, due(question, requester), requester) { shown += 1 }
            }
        }
        return shown
    }

    /// The question about a grant that waits for a quiet moment.
    func waitingQuestion(about decision: Decision, at moment: Moment) -> Question? {
        guard let terms = decision.terms else { return nil }
        if terms.isProvisionalAlways { return .upgradeToAlways }
        guard terms.scope == .always else { return nil }
        if let elapsed = moment.elapsed(since: terms.reviewedAt), elapsed < configuration.reviewInterval { return nil }
        return .review
    }

    /// The resources for which the question is due now.
    private func due(_ question: Question, _ requester: Requester) -> [Resource] {
        let moment = configuration.now()
        guard requester.client.manifest?.declaresBackground == true else { return [] }
        return Resource.allCases.filter { resource in
            // Without a description there is nothing to show.
            guard requester.client.manifest?.usageDescriptions[resource] != nil,
                let decision = book[requester.key(for: resource)],
                waitingQuestion(about: decision, at: moment) == question,
                let terms = standing(of: resource, for: requester).terms,
                // What this program was allowed once is not the decision, which is about another program.
                terms.scope != .once
            else { return false }
            guard let asked = decision.terms?.reviewAskedAt, let elapsed = moment.elapsed(since: asked) else {
                return true
            }
            return question != .review || elapsed >= Self.day
        }
    }

    /// - Returns: whether the prompt was shown.
    private func ask(_ question: Question, _ resources: [Resource], _ requester: Requester) async -> Bool {
        guard let first = resources.first,
            let notice = Notice(
                client: requester.client, resource: first, and: Array(resources.dropFirst()), question: question,
                language: requester.noticeLanguage, engine: configuration.engine, collector: configuration.collector)
        else { return false }
        let prompt = Prompt(
            cookie: configuration.newIdentifier(), requester: requester, resource: first,
            and: Array(resources.dropFirst()), question: question, notice: notice)
        let keys = resources.map { requester.key(for: $0) }
        let task = Task { await self.put(prompt, keys) }
        for key in keys { pending[key] = PendingPrompt(prompt: prompt, task: task) }
        return await withTaskCancellationHandler {
            await task.value != nil
        } onCancel: {
            task.cancel()
        }
    }

    /// Shows the prompt and applies its answer to each resource. A decision about one of them meanwhile withdraws it.
    ///
    /// - Returns: `nil` if it was not shown.
    private func put(_ prompt: Prompt, _ keys: [DecisionKey]) async -> AuthorizationOutcome? {
        var end = PromptEnd.withdrawn
        defer {
            close(prompt, keys)
            prompt.end.set(end)
        }
        guard await agent.canAsk(prompt) else { return nil }
        guard let notices = try? await recordShowing(prompt, keys), isAnswerable(prompt, keys) else { return nil }
        let reply = await answer(to: prompt)
        guard isAnswerable(prompt, keys), let reply, prompt.answers.contains(reply.answer) else { return .authorized }
        for key in keys { pending[key]?.isRecording = true }
        if reply.answer != .always { book.upgradesShown.subtract(keys) }
        // All are submitted before one is durable, so that no other decision comes between them.
        let submissions = keys.compactMap { key in
            decision(reply, prompt, key).map { decision in
                submit(
                    .store(decision),
                    recording: event(
                        reply, prompt.confirmed(by: reply.confirmation).about(key.resource), notices[key] ?? 0, decision
                    ))
            }
        }
        if reply.answer == .deny { for submission in submissions { await configuration.eraseKept(submission.key) } }
        if !submissions.isEmpty { end = .recorded }
        for submission in submissions {
            do {
                _ = try await settle(submission)
            } catch {
                // What it revokes is gone at once.
                end = .unrecorded
            }
        }
        return .authorized
    }

    private func isAnswerable(_ prompt: Prompt, _ keys: [DecisionKey]) -> Bool {
        keys.allSatisfy { isAnswerable(prompt, $0) }
    }

    private func close(_ prompt: Prompt, _ keys: [DecisionKey]) {
        for key in keys {
            if pending[key]?.prompt.cookie == prompt.cookie { pending[key] = nil }
            // Without an answer the client sees only now that it is not always.
            if book.upgradesShown.remove(key) != nil, book[key]?.terms?.scope != .always { announce(key) }
        }
    }

    /// Records the question for each resource. That it was asked is stored with the notice, before the prompt is visible.
    ///
    /// - Returns: the indexes of the notices' records.
    private func recordShowing(_ prompt: Prompt, _ keys: [DecisionKey]) async throws -> [DecisionKey: UInt64] {
        let asked = keys.map { ledger.submit(.asked(prompt.about($0.resource)), changing: nil) }
        let changed = shownNotices.differing(from: prompt).map {
            ledger.submit(.noticeChanged(prompt, previous: $0), changing: nil)
        }
        var indexes: [UInt64] = []
        for ticket in asked { indexes.append(try await ticket.value) }
        _ = try await changed?.value
        while let key = keys.first(where: { book.writing($0) != nil }) { await changesAreWritten(of: key) }
        let decisions = keys.compactMap { book.amendable($0) }
        // A decision that was being written when the question became due may have answered it.
        guard isAnswerable(prompt, keys), decisions.count == keys.count,
            decisions.allSatisfy({ waitingQuestion(about: $0, at: configuration.now()) == prompt.question })
        else { throw CancellationError() }
        let shown = zip(decisions, indexes).map { decision, index -> (DecisionKey, Ticket) in
            var decision = decision
            switch prompt.question {
            case .upgradeToAlways:
                book.upgradesShown.insert(decision.key)
                decision.terms?.upgrade = .asked
            default:
                decision.terms?.reviewAskedAt = configuration.now()
            }
            let event = LedgerEvent.noticeShown(prompt.about(decision.key.resource), asked: index)
            return (decision.key, amend(decision, recording: event))
        }
        var notices: [DecisionKey: UInt64] = [:]
        var failure: (any Error)?
        // What is durable of one counts, also if that of the other fails.
        for (key, ticket) in shown {
            do { notices[key] = try await ticket.value } catch { failure = failure ?? error }
            book.settle(key)
        }
        if let failure { throw failure }
        shownNotices.note(prompt)
        return notices
    }

    /// - Returns: `nil` if the grant that the question was about is gone or changed: it is not given again.
    private func decision(_ reply: AgentReply, _ prompt: Prompt, _ key: DecisionKey) -> Decision? {
        let moment = configuration.now()
        guard let before = book[key], var terms = before.terms else { return nil }
        guard reply.answer != .deny else {
            return Decision(
                key: key, verdict: .denied, program: nil, terms: nil, indication: reply.indication,
                decidedAt: moment.date)
        }
        guard terms.scope == (prompt.question == .review ? .always : .whileInUse) else { return nil }
        terms.scope = reply.answer == .always ? .always : .whileInUse
        terms.upgrade = .asked
        (terms.reviewedAt, terms.reviewAskedAt) = (moment, nil)
        // The question was whether to keep or extend what is allowed, so the answer covers no more than before.
        let client = prompt.requester.client
        if book.additions(to: terms, by: client, key.resource).isEmpty,
            let shown = client.declared(key.resource, in: prompt.notice.language)
        {
            terms.agreed = shown.recognised(by: configuration.engine, recordsTo: configuration.collector)
            if terms.scope != .always { terms.agreed.alwaysUsageDescription = nil }
        }
        return Decision(
            key: key, verdict: .authorized, program: before.program, terms: terms, indication: reply.indication,
            decidedAt: moment.date)
    }

    private func event(
        _ reply: AgentReply, _ prompt: Prompt, _ notice: UInt64, _ decision: Decision
    ) -> LedgerEvent {
        guard let terms = decision.terms else { return .denied(prompt, reply.indication, notice: notice) }
        return prompt.question.isRenewed(by: reply.answer)
            ? .renewed(
                prompt, terms.scope, terms.fidelity, reply.indication, notice: notice,
                decision: book[decision.key]?.record)
            : .granted(prompt, terms.scope, terms.fidelity, reply.indication, notice: notice)
    }
}
