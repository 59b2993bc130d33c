extension Gate {
    /// Refuses a use at reduced fidelity by a client that has no phrases, and writes that down.
    public func refusalOfReducedFidelity(for requester: Requester) async -> AuthorizationError {
        await recorded(Refusal.reducedFidelity(requester), requester)
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
            let refusal = Refusal.error(for: standing, resource: resource, requester: requester)
            return await block(.refused(standing.status, refusal), requester)
        }
        let key = requester.key(for: resource)
        guard terms.fidelity == .reduced, !book.temporaryFidelity.isAllowed(key, requester.caller.process) else {
            return await block(.refused(.authorized, Refusal.alreadyFull(requester)), requester)
        }
        let manifest = requester.client.manifest?.localized(in: requester.noticeLanguage)
        guard let purpose = manifest?.temporaryFullFidelityPurposes[purposeKey] else {
            return await block(.refused(.authorized, Refusal.missingPurpose(purposeKey, requester)), requester)
        }
        guard requester.presence == .foreground else {
            return await block(.refused(.authorized, Refusal.notInUse(resource, requester, terms)), requester)
        }
        let epoch = epochs[key, default: 0]
        guard let outcome = await ask(.temporaryFullFidelity(purpose: purpose), resource, requester) else {
            return .refused(.authorized, Refusal.tooManyRequests(resource, requester))
        }
        guard outcome.status == .authorized, epochs[key, default: 0] == epoch else { return outcome }
        return outcome
    }
}
