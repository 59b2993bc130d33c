import Base
import Foundation

extension Gate {
    /// Requests both permissions in the order of `PermissionSequence`.
    ///
    /// Suspends until the person has answered. If the task is cancelled and no other request waits, the prompt is withdrawn.
    /// - Parameters:
    ///   - asking: `false` refuses instead of asking the person.
    ///   - scope: `always` requests that too, for both, once both are authorized; see `requestAlways`.
    /// - Returns: why it is refused; `nil` if all of it is allowed. Its status can be authorized, if the client asked for more.
    public func checkAndRequest(
        for requester: Requester, asking: Bool = true, scope: Scope = .whileInUse
    ) async -> AuthorizationError? {
        if scope == .always, let refusal = await refusalOfAlways(.speechRecognition, requester) { return refusal }
        let refusal = await checkAndRequestBoth(for: requester, asking: asking) {}
        guard scope == .always, refusal == nil else { return refusal }
        for resource in [Resource.speechRecognition, .microphone] {
            if let refusal = await upgrade(resource, for: requester) { return refusal }
        }
        return nil
    }

    /// The same for a session that is about to begin.
    ///
    /// - Parameter prepare: called before questions one of which is about the microphone; asks nothing if it throws.
    public func checkAndRequest(
        for requester: Requester, asking: Bool, prepare: @Sendable () async throws -> Void
    ) async rethrows -> AuthorizationError? {
        try await checkAndRequestBoth(for: requester, asking: asking, prepare)
    }

    private func checkAndRequestBoth(
        for requester: Requester, asking: Bool, _ prepare: @Sendable () async throws -> Void
    ) async rethrows -> AuthorizationError? {
        guard await grantsAreTrusted() else { return AuthorizationError(.noAnswer, .speechRecognition, requester) }
        var step = firstStep(for: requester)
        if case .ask(let resource) = step {
            guard asking else {
                let reason = RefusalReason(standing(of: resource, for: requester), requester)
                return await refuse(reason, resource, requester)
            }
            if status(of: .microphone, for: requester) == .notDetermined,
                requester.client.manifest?.usageDescriptions[.microphone] != nil
            {
                try await prepare()
                // The permissions may have changed meanwhile.
                step = firstStep(for: requester)
            }
        }
        if case .ask(.speechRecognition) = step {
            let refusal = await request(.speechRecognition, for: requester)
            step = PermissionSequence.step(
                afterAskingSpeechRecognition: refusal.status, microphone: status(of: .microphone, for: requester))
            if case .end(let status, .speechRecognition) = step, let refusal { return refusal.with(status) }
        }
        if case .ask(.microphone) = step {
            return await request(.microphone, for: requester).map {
                $0.with(PermissionSequence.outcome(afterAskingMicrophone: $0.status))
            }
        }
        guard case .end(let status, let resource) = step, status != .authorized else { return nil }
        // The standing may have changed while the person was asked about the other resource; the outcome stays a refusal.
        let reason = RefusalReason(standing(of: resource, for: requester), requester)
        return await refuse(reason, resource, requester, status: status)
    }

    private func firstStep(for requester: Requester) -> PermissionSequence.Step {
        PermissionSequence.firstStep(
            speechRecognition: status(of: .speechRecognition, for: requester),
            microphone: status(of: .microphone, for: requester))
    }

    /// Requests one resource. The person is asked only if the status is not determined and the client is in the foreground.
    ///
    /// - Returns: why it is refused; `nil` if it is allowed.
    public func request(_ resource: Resource, for requester: Requester) async -> AuthorizationError? {
        guard await grantsAreTrusted() else { return AuthorizationError(.noAnswer, resource, requester) }
        let standing = standing(of: resource, for: requester)
        let question: Question
        switch standing {
        case .authorized:
            return nil
        case .restricted, .muted, .denied, .untrusted:
            return await refuse(RefusalReason(standing, requester), resource, requester)
        case .notDetermined:
            question = .firstUse
        case .identityChanged(let decision):
            let current = AllowedProgram(requester.caller.executable)
            question = decision.program.map { .identityChanged(previous: $0, current: current) } ?? .firstUse
        case .termsWidened:
            question = .termsWidened
        }
        guard requester.client.manifest?.usageDescriptions[resource] != nil else {
            return await refuse(.missingDescription(requester.client), resource, requester)
        }
        guard requester.presence == .foreground else { return await refuse(.notAskedInBackground, resource, requester) }
        let key = requester.key(for: resource)
        guard let joined = pending[key] else { return await ask(question, resource, requester) }
        guard joined.prompt.question == question, joined.waiters < configuration.waitersForPrompt else {
            return await refuse(.tooManyRequests, resource, requester)
        }
        return await wait(for: key, as: requester, resource)
    }

    /// Why the standing refuses the resource; `nil` if it is authorized.
    func refusalNow(of resource: Resource, for requester: Requester) -> AuthorizationError? {
        let standing = standing(of: resource, for: requester)
        return standing.status == .authorized ? nil : AuthorizationError(for: standing, resource, requester)
    }

    /// Refuses a request, and records that.
    func refuse(
        _ reason: RefusalReason, _ resource: Resource, _ requester: Requester,
        status: AuthorizationStatus? = nil
    ) async -> AuthorizationError {
        await recorded(AuthorizationError(reason, resource, requester, status: status), requester)
    }

    /// Records a refusal unless the throttle suppresses it, and returns it, also if it cannot be recorded.
    func recorded(_ refusal: AuthorizationError, _ requester: Requester) async -> AuthorizationError {
        callersSeen.note(requester)
        let repeated = blocked.reports(
            BlockedAccess(key: requester.key(for: refusal.resource), code: refusal.code),
            at: configuration.now().date, interval: configuration.blockedRecordInterval)
        if let repeated {
            _ = try? await ledger.record(blockedEvent(refusal, requester, repeated: repeated), changing: nil)
        }
        return refusal
    }

    private func blockedEvent(_ refusal: AuthorizationError, _ requester: Requester, repeated: Int) -> LedgerEvent {
        let key = requester.key(for: refusal.resource)
        if refusal.code == .restricted, let rule = book.policy.restriction(of: key, at: configuration.now().date) {
            return .refusedByPolicy(requester, refusal.resource, rule, repeated: repeated)
        }
        return .accessBlocked(requester, refusal.resource, refusal.code, repeated: repeated)
    }

    /// Requests always: the first prompt is the usual one, and its grant a provisional always. The person is asked again
    /// at a quiet moment (`askAtQuietMoment`); until then nothing happens that needs always. Refused, and the person not asked,
    /// if the manifest declares nothing in the background.
    public func requestAlways(_ resource: Resource, for requester: Requester) async -> AuthorizationError? {
        if let refusal = await refusalOfAlways(resource, requester) { return refusal }
        if let refusal = await request(resource, for: requester) { return refusal }
        return await upgrade(resource, for: requester)
    }

    /// Refuses always to a client that does nothing while it is not used; `nil` for any other, and without a manifest, which
    /// every request is refused for.
    private func refusalOfAlways(_ resource: Resource, _ requester: Requester) async -> AuthorizationError? {
        guard requester.client.manifest?.declaresBackground == false else { return nil }
        guard await grantsAreTrusted() else { return AuthorizationError(.noAnswer, resource, requester) }
        return await refuse(
            .missingBackgroundMode, resource, requester, status: status(of: resource, for: requester))
    }

    /// Makes a grant while in use, if there is one, a provisional always.
    private func upgrade(_ resource: Resource, for requester: Requester) async -> AuthorizationError? {
        let key = requester.key(for: resource)
        await changesAreWritten(of: key)
        guard case .authorized(let terms) = standing(of: resource, for: requester), terms.scope == .whileInUse,
            terms.upgrade == .notRequested, var decision = book.amendable(key)
        else { return nil }
        decision.terms?.upgrade = .provisional
        do {
            _ = try await amend(decision, recording: .upgradeRequested(requester, resource)).value
        } catch {
            // It is still a grant while in use.
            return AuthorizationError(unrecorded: error, resource, requester, status: .authorized)
        }
        book.settle(key)
        announce(key)
        return nil
    }

    /// Requests full fidelity for the process's next session (`requestTemporaryFullAccuracyAuthorization`). The stored
    /// answer remains reduced.
    ///
    /// - Parameter purposeKey: a key of the manifest's purposes, whose text is shown.
    public func requestTemporaryFullFidelity(
        purposeKey: String, for requester: Requester
    ) async -> AuthorizationError? {
        let resource = Resource.speechRecognition
        guard await grantsAreTrusted() else { return AuthorizationError(.noAnswer, resource, requester) }
        let standing = standing(of: resource, for: requester)
        guard let terms = standing.terms else {
            return await refuse(RefusalReason(standing, requester), resource, requester)
        }
        let key = requester.key(for: resource)
        guard terms.fidelity == .reduced, book.temporaryFidelity[key, requester.caller.process] == nil else {
            return await refuse(.alreadyFull, resource, requester)
        }
        let manifest = requester.client.manifest?.localized(in: requester.noticeLanguage)
        guard let purpose = manifest?.temporaryFullFidelityPurposes[purposeKey] else {
            let key = DisplayText.cleaned(purposeKey, limit: 60)
            return await refuse(.missingPurpose(key: key), resource, requester)
        }
        guard requester.presence == .foreground else {
            return await refuse(.notInBackground(of: requester.client), resource, requester)
        }
        return await ask(.temporaryFullFidelity(purpose: purpose), resource, requester)
    }
}
