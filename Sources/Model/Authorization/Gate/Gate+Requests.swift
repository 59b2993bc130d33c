import Foundation

extension Gate {
    /// Speech recognition first, then the microphone; the outcomes are those of `PermissionSequence`.
    ///
    /// Suspends until the person has answered. When the waiting task is cancelled and no other request waits, the
    /// prompt is withdrawn.
    /// - Parameter asking: `false` refuses where the person would have to be asked.
    public func checkAndRequest(for requester: Requester, asking: Bool = true) async -> AuthorizationOutcome {
        let first = PermissionSequence.firstStep(
            speechRecognition: status(of: .speechRecognition, for: requester),
            microphone: status(of: .microphone, for: requester))
        var step = first
        if case .ask(let resource) = first, !asking {
            return await block(outcomeOfStanding(of: resource, for: requester), requester)
        }
        if case .ask(.speechRecognition) = step {
            let outcome = await request(.speechRecognition, for: requester)
            step = PermissionSequence.step(
                afterAskingSpeechRecognition: outcome.status, microphone: status(of: .microphone, for: requester))
            if case .end(let status, .speechRecognition) = step, let refusal = outcome.refusal {
                return .refused(status, refusal)
            }
        }
        if case .ask(.microphone) = step {
            let outcome = await request(.microphone, for: requester)
            guard let refusal = outcome.refusal else { return .authorized }
            return .refused(PermissionSequence.outcome(afterAskingMicrophone: outcome.status), refusal)
        }
        guard case .end(let status, let resource) = step, status != .authorized else { return .authorized }
        // What ended it may have changed while the person was asked about the other resource: the outcome stays a no.
        let refusal = AuthorizationError(for: standing(of: resource, for: requester), resource, requester)
        return await block(.refused(status, refusal), requester)
    }

    /// Asks for one resource. A status that is determined is the answer; a policy is never asked about, and nobody is
    /// asked for a client in the background.
    public func request(_ resource: Resource, for requester: Requester) async -> AuthorizationOutcome {
        let standing = standing(of: resource, for: requester)
        let question: Question
        switch standing {
        case .authorized:
            return .authorized
        case .restricted, .muted, .denied, .untrusted, .inUseOnce:
            let refusal = AuthorizationError(for: standing, resource, requester)
            return await block(.refused(standing == .inUseOnce ? .notDetermined : standing.status, refusal), requester)
        case .notDetermined:
            question = .firstUse
        case .identityChanged(let decision):
            let current = AllowedProgram(requester.caller.executable)
            question = decision.program.map { .identityChanged(previous: $0, current: current) } ?? .firstUse
        }
        guard requester.client.manifest?.usageDescriptions[resource] != nil else {
            return await block(
                .refused(
                    .notDetermined, AuthorizationError(.missingDescription(requester.client), resource, requester)),
                requester)
        }
        guard requester.presence == .foreground else {
            return await block(
                .refused(.notDetermined, AuthorizationError(.notInUse(nil), resource, requester)), requester)
        }
        return await askJoining(question, resource, requester)
    }

    /// Joins the prompt about the same that is shown already.
    private func askJoining(
        _ question: Question, _ resource: Resource, _ requester: Requester
    ) async -> AuthorizationOutcome {
        let key = requester.key(for: resource)
        guard let joined = pending[key] else {
            return await ask(question, resource, requester)
                ?? .refused(.notDetermined, AuthorizationError(.tooManyRequests, resource, requester))
        }
        guard joined.question == question, joined.waiters < configuration.waitersForPrompt else {
            return await block(
                .refused(.notDetermined, AuthorizationError(.tooManyRequests, resource, requester)), requester)
        }
        return await wait(for: key, as: requester, resource)
    }

    func outcomeOfStanding(of resource: Resource, for requester: Requester) -> AuthorizationOutcome {
        let standing = standing(of: resource, for: requester)
        if standing.status == .authorized { return .authorized }
        return .refused(standing.status, AuthorizationError(for: standing, resource, requester))
    }

    func block(_ outcome: AuthorizationOutcome, _ requester: Requester) async -> AuthorizationOutcome {
        if let refusal = outcome.refusal { _ = await recorded(refusal, requester) }
        return outcome
    }

    /// Writes a refusal down, as far as the throttle lets it, and passes it on. A refusal holds even when it cannot be
    /// written.
    func recorded(_ refusal: AuthorizationError, _ requester: Requester) async -> AuthorizationError {
        let repeated = blocked.recordsRefusal(
            of: requester.key(for: refusal.resource), code: refusal.code, at: configuration.now().date,
            interval: configuration.blockedRecordInterval)
        if let repeated {
            _ = try? await record(blockedEvent(refusal, requester, repeated: repeated), changing: nil)
        }
        return refusal
    }

    /// What an administrator forbids is told apart from everything else that keeps a client out.
    private func blockedEvent(
        _ refusal: AuthorizationError, _ requester: Requester, repeated: Int
    ) -> LedgerEvent {
        let key = requester.key(for: refusal.resource)
        if refusal.code == .restricted, let rule = book.policy.restriction(of: key, at: configuration.now().date) {
            return .refusedByPolicy(requester, refusal.resource, rule, repeated: repeated)
        }
        return .accessBlocked(requester, refusal.resource, refusal.code, repeated: repeated)
    }
}

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
            return .refused(.notDetermined, AuthorizationError(.recordingFailed, resource, requester))
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
        let moment = configuration.now()
        guard terms.scope == .always else { return nil }
        if let elapsed = moment.elapsed(since: terms.reviewedAt), elapsed < configuration.reviewInterval { return nil }
        if let asked = reviewsAsked[decision.key], let elapsed = moment.elapsed(since: asked), elapsed < 86_400_000 {
            return nil
        }
        return .review
    }
}

extension Gate {
    /// Refuses a use at reduced fidelity by a client that has no phrases, and writes that down.
    public func refusalOfReducedFidelity(for requester: Requester) async -> AuthorizationError {
        await recorded(AuthorizationError(.reducedFidelity, .speechRecognition, requester), requester)
    }

    /// Asks for full fidelity for the process's next session (`requestTemporaryFullAccuracyAuthorization`). It ends with
    /// that session; the stored answer stays reduced.
    ///
    /// - Parameter purposeKey: a key of the manifest's dictionary of purposes; its text is shown.
    /// - Returns: `authorized` when the next session of this process gets all.
    public func requestTemporaryFullFidelity(
        purposeKey: String, for requester: Requester
    ) async -> AuthorizationOutcome {
        let resource = Resource.speechRecognition
        let standing = standing(of: resource, for: requester)
        guard let terms = standing.terms else {
            let refusal = AuthorizationError(for: standing, resource, requester)
            return await block(.refused(standing.status, refusal), requester)
        }
        let key = requester.key(for: resource)
        guard terms.fidelity == .reduced, !book.temporaryFidelity.isAllowed(key, requester.caller.process) else {
            return await block(.refused(.authorized, AuthorizationError(.alreadyFull, resource, requester)), requester)
        }
        let manifest = requester.client.manifest?.localized(in: requester.noticeLanguage)
        guard let purpose = manifest?.temporaryFullFidelityPurposes[purposeKey] else {
            return await block(
                .refused(
                    .authorized,
                    AuthorizationError(
                        .missingPurpose(key: DisplayText.cleaned(purposeKey, limit: 60)), resource, requester)),
                requester)
        }
        guard requester.presence == .foreground else {
            return await block(
                .refused(.authorized, AuthorizationError(.notInUse(terms), resource, requester)), requester)
        }
        return await ask(.temporaryFullFidelity(purpose: purpose), resource, requester)
            ?? .refused(.authorized, AuthorizationError(.tooManyRequests, resource, requester))
    }
}
