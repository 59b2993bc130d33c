import Foundation

extension Gate {
    /// Decides without a prompt, as settings do.
    ///
    /// A denial takes effect before it is recorded, a grant afterwards. What a grant no longer allows ends at once in
    /// running sessions.
    /// - Parameters:
    ///   - program: the program that a grant is for; without it the grant allows nothing.
    ///   - scope: `always` only if the client is already allowed while in use; never `once`.
    ///   - notice: what settings show about the client; `nil` without a manifest.
    /// - Throws: `AuthorizationError` for a scope that cannot be set, else the ledger's error; a denial then remains in
    ///   effect until the service ends.
    public func decide(
        _ verdict: Verdict, for key: DecisionKey, program: AllowedProgram?, scope: Scope = .whileInUse,
        fidelity: Fidelity = .full, notice: Notice? = nil, by caller: Caller
    ) async throws {
        let moment = configuration.now()
        let current = book[key]
        guard scope == .whileInUse || scope == .always && current?.verdict == .authorized || verdict == .denied else {
            throw AuthorizationError(.notAnUpgrade, key.resource, key.client, name: key.client.rawValue)
        }
        // No notice was shown, so this agrees to no further keeping; changing a grant leaves what was agreed.
        let agreed = current?.program?.sha256 == program?.sha256 ? current?.terms?.kept : nil
        // A scope chosen in settings is not asked about again.
        let terms =
            verdict == .authorized
            ? Terms(
                scope: scope, upgrade: .asked, fidelity: fidelity, usedAt: moment, reviewedAt: moment,
                kept: agreed ?? [:], engine: configuration.engine.recipient) : nil
        let decision = Decision(
            key: key, verdict: verdict, program: program, terms: terms,
            indication: Indication(settlingFor: key.user, by: caller), decidedAt: configuration.now().date)
        withdraw(key)
        try await make(.store(decision), recording: .decidedInSettings(key, verdict, terms, notice: notice, by: caller))
    }

    /// Withdraws an answer: the status is `notDetermined` again, and its sessions end.
    ///
    /// - Parameter notice: what settings show about the client; `nil` without a manifest.
    public func reset(_ key: DecisionKey, notice: Notice? = nil, by caller: Caller) async throws {
        book.settle(key)
        let hasAnswer = book.hasAnswer(for: key) || pending[key]?.isRecording == true
        withdraw(key)
        guard hasAnswer else { return }
        try await make(
            .remove(key), recording: .withdrawn(key, notice: notice, decision: book[key]?.record, by: caller))
    }

    /// Mutes everything. Takes effect before it is recorded.
    ///
    /// - Throws: the ledger's error; everything then remains muted until the service ends.
    public func mute(by caller: Caller) async throws {
        muteEpoch += 1
        book.setMuted(true)
        endLeases(.muted) { _ in true }
        for key in pending.keys { withdraw(key) }
        announce(nil)
        try await ledger.record(.muted(by: caller), changing: nil)
    }

    /// Takes effect after it is recorded. Ended sessions do not begin again.
    public func unmute(by caller: Caller) async throws {
        guard book.isMuted else { return }
        let epoch = muteEpoch
        try await ledger.record(.unmuted(by: caller), changing: nil)
        // A mute that came meanwhile was recorded after this, and overrides it.
        guard muteEpoch == epoch else { return }
        book.setMuted(false)
        announce(nil)
    }

    public var isMuted: Bool { book.isMuted }
}
