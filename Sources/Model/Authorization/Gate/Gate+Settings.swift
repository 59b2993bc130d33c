import Foundation

/// Grants from settings that wait for the ledger's verification or for the person's confirmation.
struct WaitingGrants {
    var count = 0
    /// How often the permission was denied or withdrawn meanwhile.
    var revocations = 0
}

extension Gate {
    /// Decides without a prompt, as settings do.
    ///
    /// A denial takes effect before it is recorded, a grant afterwards. What a grant no longer allows ends at once in
    /// running sessions.
    /// - Parameters:
    ///   - program: the program that a grant is for; without it the grant allows nothing.
    ///   - client: whom a grant is for; `nil` if it has no manifest, and then it is not checked whether `always` is of use.
    ///   - scope: `always` only if the client is already allowed while in use and declares something in the background; never
    ///     `once`. `nil`: that of the grant in force, else while in use.
    ///   - fidelity: `nil`: that of the grant in force, else the one that the client prefers.
    ///   - notice: what settings show about the client; `nil` without a manifest.
    ///   - confirm: called before a grant with what it would permit, which is what it permits whatever the grant in force becomes
    ///     meanwhile. The grant takes the place of what is denied or withdrawn before this only. Returns the notice as it was
    ///     confirmed, and by whom.
    /// - Throws: `AuthorizationError` for a scope that cannot be set, and for a grant if the permission is denied or withdrawn
    ///   while it waits for the ledger's verification or for `confirm`; `CancellationError` if it is cancelled while it waits
    ///   for the former; what `confirm` throws; else the ledger's error. A denial then remains in effect until the service
    ///   ends.
    public func decide(
        _ verdict: Verdict, for key: DecisionKey, program: AllowedProgram?, client: Client? = nil,
        scope: Scope? = .whileInUse, fidelity: Fidelity? = .full, notice: Notice? = nil, by caller: Caller,
        confirm: (@Sendable (Scope, Fidelity) async throws -> (Notice?, Caller))? = nil
    ) async throws {
        var (notice, caller, rights) = (notice, caller, (scope: Scope.whileInUse, fidelity: Fidelity.full))
        if verdict == .authorized {
            try await unlessRevoked(key) {
                guard await grantsAreTrusted() else { throw CancellationError() }
                let current = settled(key, client: client).decision?.terms
                rights.scope = scope ?? current?.scope ?? .whileInUse
                rights.fidelity = fidelity ?? current?.fidelity ?? client?.fidelity(of: key.resource) ?? .full
                if let confirm { (notice, caller) = try await confirm(rights.scope, rights.fidelity) }
            }
        }
        let (moment, scope, current) = (configuration.now(), rights.scope, book[key])
        guard scope != .always || verdict == .denied || client?.manifest?.declaresBackground != false else {
            throw AuthorizationError(
                .missingBackgroundMode, key.resource, key.client, name: key.client.rawValue,
                status: settled(key).status)
        }
        guard scope == .whileInUse || scope == .always && current?.verdict == .authorized || verdict == .denied else {
            throw AuthorizationError(.notAnUpgrade, key.resource, key.client, name: key.client.rawValue)
        }
        // Without a notice this agrees to nothing further; changing a grant leaves what was agreed.
        let agreed = current?.program?.sha256 == program?.sha256 ? current?.terms?.agreed : nil
        // A scope chosen in settings is not asked about again.
        let terms =
            verdict == .authorized
            ? Terms(
                scope: scope, upgrade: .asked, fidelity: rights.fidelity, usedAt: moment, reviewedAt: moment,
                agreed: notice?.agreement
                    ?? (agreed ?? Agreement()).recognised(
                        by: configuration.engine, recordsTo: configuration.collector)) : nil
        try await settle(key, terms, program, notice, by: caller)
    }

    /// - Parameter terms: `nil` denies.
    private func settle(
        _ key: DecisionKey, _ terms: Terms?, _ program: AllowedProgram?, _ notice: Notice?, by caller: Caller
    ) async throws {
        let verdict: Verdict = terms == nil ? .denied : .authorized
        let decision = Decision(
            key: key, verdict: verdict, program: program, terms: terms,
            indication: Indication(settlingFor: key.user, by: caller), decidedAt: configuration.now().date)
        withdraw(key)
        try await make([
            (.store(decision), .decidedInSettings(key, verdict, terms, notice: notice, by: caller))
        ])
    }

    /// Lowers a grant in force without a prompt; everything else of it stays, also when it was last used and confirmed. No
    /// suspension between the check and the submission: a denial before it prevails.
    ///
    /// - Parameters:
    ///   - scope: `nil` keeps that of the grant; never `once`.
    ///   - fidelity: `nil` keeps that of the grant.
    ///   - program: the program that the grant must be for.
    ///   - client: what the grant must cover; `nil` without a manifest.
    ///   - notice: what settings show about the client; `nil` without a manifest.
    /// - Returns: whether such a grant permitted at least this much; otherwise nothing changed.
    /// - Throws: `CancellationError` as `decide`; else the ledger's error. The lower terms then remain in effect until the
    ///   service ends.
    public func lower(
        _ key: DecisionKey, _ scope: Scope?, _ fidelity: Fidelity?, program: AllowedProgram?, client: Client? = nil,
        notice: Notice?, by caller: Caller
    ) async throws -> Bool {
        // It would make a record of a forged grant. Until then no session uses it.
        try await unlessRevoked(key) {
            guard await grantsAreTrusted() else { throw CancellationError() }
        }
        guard scope != .once, scope != .always || client?.manifest?.declaresBackground != false,
            let current = unexpired(key), var terms = current.terms,
            current.program == program, book.additions(to: terms, by: client, key.resource).isEmpty,
            scope == nil || scope == terms.scope || terms.scope == .always,
            fidelity == nil || fidelity == terms.fidelity || fidelity == .reduced
        else { return false }
        let before = terms
        terms.scope = scope ?? terms.scope
        // Settings showed the phrases that remain, all of which the client could receive before.
        if fidelity == .reduced, terms.fidelity == .full { terms.agreed.phrases = notice?.agreement.phrases ?? [] }
        terms.fidelity = fidelity ?? terms.fidelity
        // A scope chosen in settings is not asked about again.
        if scope != nil || terms != before { terms.upgrade = .asked }
        // What could not be written before is written now.
        guard terms != before || !book.isDurable(key) else { return true }
        try await settle(key, terms, program, notice, by: caller)
        return true
    }

    /// Withdraws an answer: the status is `notDetermined` again, and its sessions end.
    ///
    /// - Parameter notice: what settings show about the client; `nil` without a manifest.
    public func reset(_ key: DecisionKey, notice: Notice? = nil, by caller: Caller) async throws {
        noteRevocation(of: key)
        book.settle(key)
        let hasAnswer = book.hasAnswer(for: key) || pending[key]?.isRecording == true
        withdraw(key)
        guard hasAnswer else { return }
        try await make([(.remove(key), .withdrawn(key, notice: notice, decision: book[key]?.record, by: caller))])
    }

    /// Runs what a grant waits for. A denial or withdrawal that comes meanwhile is newer than the grant, and prevails.
    private func unlessRevoked(_ key: DecisionKey, _ wait: () async throws -> Void) async throws {
        var waiting = waitingGrants[key] ?? WaitingGrants()
        let before = waiting.revocations
        waiting.count += 1
        waitingGrants[key] = waiting
        defer {
            waitingGrants[key]?.count -= 1
            if waitingGrants[key]?.count == 0 { waitingGrants[key] = nil }
        }
        try await wait()
        guard waitingGrants[key]?.revocations == before else {
            let denial = book[key].flatMap { $0.verdict == .denied ? RefusalReason.denied(by: $0) : nil }
            throw AuthorizationError(
                denial ?? .notDetermined, key.resource, key.client, name: key.client.rawValue,
                status: settled(key).status)
        }
    }

    /// Also of what has no answer: the person does not want what waits.
    func noteRevocation(of key: DecisionKey) { waitingGrants[key]?.revocations += 1 }
}
