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
        let refusal = Refusal.error(
            for: standing(of: resource, for: requester), resource: resource, requester: requester)
        return await block(.refused(status, refusal), requester)
    }

    /// Asks for one resource. A status that is determined is the answer; a policy is never asked about.
    public func request(_ resource: Resource, for requester: Requester) async -> AuthorizationOutcome {
        let standing = standing(of: resource, for: requester)
        switch standing {
        case .authorized:
            return .authorized
        case .restricted, .denied, .inUseOnce:
            let refusal = Refusal.error(for: standing, resource: resource, requester: requester)
            return await block(.refused(standing == .inUseOnce ? .notDetermined : standing.status, refusal), requester)
        case .notDetermined, .identityChanged:
            return await ask(resource, for: requester)
        }
    }

    private func ask(_ resource: Resource, for requester: Requester) async -> AuthorizationOutcome {
        guard let notice = Notice(client: requester.client, resource: resource) else {
            return await block(
                .refused(.notDetermined, Refusal.missingUsageDescription(resource, requester.client)), requester)
        }
        let key = requester.key(for: resource)
        if let joined = pending[key] {
            guard joined.waiters < configuration.waitersForPrompt else {
                return await block(.refused(.notDetermined, Refusal.tooManyRequests(resource, requester)), requester)
            }
        } else {
            guard pending.keys.count(where: { $0.user == key.user }) < configuration.pendingPrompts else {
                return await block(.refused(.notDetermined, Refusal.tooManyRequests(resource, requester)), requester)
            }
            let prompt = Prompt(
                cookie: configuration.newIdentifier(), requester: requester, resource: resource, notice: notice)
            let epoch = epochs[key, default: 0]
            let task = Task { await self.prompt(prompt, key: key, epoch: epoch) }
            pending[key] = PendingPrompt(cookie: prompt.cookie, task: task, waiters: 0)
        }
        return await wait(for: key, as: requester, resource)
    }

    private func wait(
        for key: DecisionKey, as requester: Requester, _ resource: Resource
    ) async -> AuthorizationOutcome {
        guard let joined = pending[key] else {
            return .refused(.notDetermined, Refusal.noAnswer(resource, requester))
        }
        pending[key]?.waiters += 1
        let outcome = await withTaskCancellationHandler {
            await joined.task.value
        } onCancel: {
            Task { await self.waiterLeft(key, cookie: joined.cookie) }
        }
        guard outcome.status == .authorized else { return outcome }
        // A yes for one session belongs to the process that asked; who joined it is told how it stands itself.
        let standing = standing(of: resource, for: requester)
        guard standing.status != .authorized else { return .authorized }
        let refusal = Refusal.error(for: standing, resource: resource, requester: requester)
        return .refused(standing.status, refusal)
    }

    private func waiterLeft(_ key: DecisionKey, cookie: String) {
        guard let joined = pending[key], joined.cookie == cookie else { return }
        pending[key]?.waiters -= 1
        if joined.waiters <= 1 { withdraw(key) }
    }

    /// Takes a prompt away. A request that comes now is asked anew and does not join the one that ends.
    func withdraw(_ key: DecisionKey) {
        pending.removeValue(forKey: key)?.task.cancel()
    }

    /// Shows one prompt and makes its answer count. The notice is recorded before it is shown, the answer before it has
    /// effect.
    private func prompt(_ prompt: Prompt, key: DecisionKey, epoch: UInt64) async -> AuthorizationOutcome {
        defer { if pending[key]?.cookie == prompt.cookie { pending[key] = nil } }
        let requester = prompt.requester
        let noAnswer = AuthorizationOutcome.refused(.notDetermined, Refusal.noAnswer(prompt.resource, requester))
        let failed = AuthorizationOutcome.refused(.notDetermined, Refusal.recordingFailed(prompt.resource, requester))
        guard await agent.canAsk(prompt) else { return await block(noAnswer, requester) }
        let notice: UInt64
        do {
            notice = try await record(.noticeShown(prompt), changing: nil)
        } catch {
            return failed
        }
        let reply = await answer(to: prompt)
        // While the person read, a policy or the settings may have decided: that stands, and the answer is dropped.
        guard epochs[key, default: 0] == epoch, book.policy.restriction(of: key) == nil else {
            return outcomeOfStanding(of: prompt.resource, for: requester)
        }
        guard let reply else { return await block(noAnswer, requester) }
        do {
            return try await commit(reply, to: prompt, notice: notice, key: key, epoch: epoch)
        } catch {
            return failed
        }
    }

    private func commit(
        _ reply: AgentReply, to prompt: Prompt, notice: UInt64, key: DecisionKey, epoch: UInt64
    ) async throws -> AuthorizationOutcome {
        let (requester, resource) = (prompt.requester, prompt.resource)
        committing.insert(key)
        defer { committing.remove(key) }
        switch reply.answer {
        case .later:
            try await record(.deferred(requester, resource, reply.indication, notice: notice), changing: nil)
        case .once:
            try await record(
                .granted(requester, resource, .once, reply.indication, notice: notice), changing: nil)
            if epochs[key, default: 0] == epoch { book.allowOnce(resource, for: requester) }
        case .whileInUse, .deny:
            let isYes = reply.answer == .whileInUse
            let decision = Decision(
                key: key, verdict: isYes ? .authorized : .denied,
                executableSHA256: requester.caller.executable.sha256, indication: reply.indication,
                decidedAt: configuration.now())
            // A program that has changed is asked for again, and a no to it is a no to what runs of it.
            if !isYes { endLeases(.revoked) { $0 == key } }
            let event: LedgerEvent =
                isYes
                ? .granted(requester, resource, .whileInUse, reply.indication, notice: notice)
                : .denied(requester, resource, reply.indication, notice: notice)
            try await record(event, changing: .store(decision))
            // Settings that came while this was being written were recorded after it, and hold.
            if epochs[key, default: 0] == epoch { book.store(decision) }
        }
        if reply.answer != .later {
            announce(AuthorizationChange(key: key))
        }
        return outcomeOfStanding(of: resource, for: requester)
    }

    /// The first of: the agent's reply, the agent's failure, the end of the time to answer, cancellation. An agent that
    /// does not heed its cancellation is left behind, so that it cannot hold the request.
    private func answer(to prompt: Prompt) async -> AgentReply? {
        let (firstAnswer, continuation) = AsyncStream.makeStream(of: AgentReply?.self)
        let (agent, sleep, timeout) = (agent, configuration.sleep, configuration.answerTimeout)
        let asking = Task { continuation.yield(try? await agent.ask(prompt)) }
        let waiting = Task {
            try await sleep(timeout)
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

    private func outcomeOfStanding(of resource: Resource, for requester: Requester) -> AuthorizationOutcome {
        let standing = standing(of: resource, for: requester)
        if standing.status == .authorized { return .authorized }
        return .refused(standing.status, Refusal.error(for: standing, resource: resource, requester: requester))
    }

    private func block(_ outcome: AuthorizationOutcome, _ requester: Requester) async -> AuthorizationOutcome {
        if let refusal = outcome.refusal { _ = await recorded(refusal, requester) }
        return outcome
    }

    /// Writes a refusal down, as far as the throttle lets it, and passes it on. A refusal holds even when it cannot be
    /// written.
    func recorded(_ refusal: AuthorizationError, _ requester: Requester) async -> AuthorizationError {
        let repeated = blocked.recordsRefusal(
            of: requester.key(for: refusal.resource), code: refusal.code, at: configuration.now(),
            interval: configuration.blockedRecordInterval)
        if let repeated {
            _ = try? await record(
                .accessBlocked(requester, refusal.resource, refusal.code, repeated: repeated), changing: nil)
        }
        return refusal
    }
}
