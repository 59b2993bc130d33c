import Base

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
                if await ask(question, requester) { shown += 1 }
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
    private func ask(_ question: Question, _ requester: Requester) async -> Bool {
        guard let prompt = prompt(question, due(question, requester), requester) else { return false }
        let task = begin(prompt)
        await withTaskCancellationHandler {
            _ = await task.value
        } onCancel: {
            task.cancel()
        }
        return prompt.end.reason != .notShown
    }

    /// The grants that a question at a quiet moment is about, which from its notice's record on say that it was asked.
    ///
    /// - Returns: empty for a question that a request waits for; `nil` if a grant no longer waits for the question.
    func noted(_ prompt: Prompt) -> [Resource: Decision]? {
        guard prompt.question.waitsForQuietMoment else { return [:] }
        let moment = configuration.now()
        var noted: [Resource: Decision] = [:]
        for key in prompt.keys {
            // A decision that was being written when the question became due may have answered it.
            guard var decision = book.amendable(key), waitingQuestion(about: decision, at: moment) == prompt.question
            else { return nil }
            if prompt.question == .review {
                decision.terms?.reviewAskedAt = moment
            } else {
                decision.terms?.upgrade = .asked
            }
            noted[key.resource] = decision
        }
        if prompt.question == .upgradeToAlways { book.upgradesShown.formUnion(prompt.keys) }
        return noted
    }

    /// The terms of a grant after the answer to a question about it.
    ///
    /// - Returns: `nil` if the grant is no longer one that the question was about.
    func reviewed(_ grant: Decision, _ reply: AgentReply, _ prompt: Prompt, at moment: Moment) -> Terms? {
        guard var terms = grant.terms,
            reply.answer == .deny || terms.scope == (prompt.question == .review ? .always : .whileInUse)
        else { return nil }
        terms.scope = reply.answer == .always ? .always : .whileInUse
        terms.upgrade = .asked
        (terms.reviewedAt, terms.reviewAskedAt) = (moment, nil)
        // The question was whether to keep or extend what is allowed, so the answer covers no more than before.
        let client = prompt.requester.client
        if book.additions(to: terms, by: client, prompt.resource).isEmpty,
            let shown = client.declared(prompt.resource, in: prompt.notice.language)
        {
            terms.agreed = shown.recognised(by: configuration.engine, recordsTo: configuration.collector)
            if terms.scope != .always { terms.agreed.alwaysUsageDescription = nil }
        }
        return terms
    }
}
