extension Gate {
    /// Asks for always: the first prompt is the same as ever, and its yes is a provisional always. The person is asked
    /// once more later, at a quiet moment (`askAtQuietMoment`), and until then nothing happens that needs always.
    public func requestAlways(_ resource: Resource, for requester: Requester) async -> AuthorizationOutcome {
        let outcome = await request(resource, for: requester)
        guard outcome.status == .authorized, case .authorized(let terms) = standing(of: resource, for: requester),
            terms.scope == .whileInUse
        else { return outcome }
        let key = requester.key(for: resource)
        lastRequesters[key] = requester
        guard terms.upgrade == .notRequested, var decision = book.decisions[key] else { return outcome }
        decision.terms?.upgrade = .provisional
        book.amend(decision)
        do {
            try await record(.upgradeRequested(requester, resource), changing: .store(decision))
        } catch {
            return .refused(.notDetermined, Refusal.recordingFailed(resource, requester))
        }
        announce(AuthorizationChange(key: key))
        return outcome
    }

    /// Puts the questions that wait for a quiet moment, one after the other: whether a provisional always is to be one,
    /// and whether an always is to stay. Call when the person's terminal or desktop is active.
    ///
    /// Puts none while a session of the user runs or a prompt is shown.
    /// - Returns: how many were shown.
    @discardableResult
    public func askAtQuietMoment(user: UInt32) async -> Int {
        var shown = 0
        for (key, decision) in book.decisions where key.user == user {
            guard !hasLiveLease(ofUser: user), pending.keys.allSatisfy({ $0.user != user }),
                let requester = lastRequesters[key], let question = question(about: decision)
            else { continue }
            let standing = standing(of: key.resource, for: requester)
            guard standing.terms != nil else { continue }
            if await ask(question, key.resource, requester) != nil { shown += 1 }
        }
        return shown
    }

    private func question(about decision: Decision) -> Question? {
        guard let terms = decision.terms else { return nil }
        if terms.isProvisionalAlways { return .upgradeToAlways }
        let moment = configuration.moment()
        guard terms.scope == .always else { return nil }
        if let elapsed = moment.elapsed(since: terms.reviewedAt), elapsed < configuration.reviewInterval { return nil }
        if let asked = reviewsAsked[decision.key], let elapsed = moment.elapsed(since: asked), elapsed < 86_400_000 {
            return nil
        }
        return .review
    }
}
