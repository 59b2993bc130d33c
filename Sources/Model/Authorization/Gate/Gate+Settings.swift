import Foundation

extension Gate {
    /// Settles a status without a prompt, as the person's settings do.
    ///
    /// A no takes hold first and is written down then; a yes is written down first. What a yes no longer allows ends at
    /// once in running sessions.
    /// - Parameters:
    ///   - program: what a yes is for; without it the yes is good for nothing.
    ///   - scope: `always` only where the client is allowed while in use already; `once` is no setting.
    ///   - notice: what the settings show about the client; `nil` where no manifest describes it.
    /// - Throws: `AuthorizationError` for a scope that cannot be set, else the ledger's error. A no holds all the same
    ///   until the service ends.
    public func decide(
        _ verdict: Verdict, for key: DecisionKey, program: AllowedProgram?, scope: Scope = .whileInUse,
        fidelity: Fidelity = .full, notice: Notice? = nil, by caller: Caller
    ) async throws {
        let moment = configuration.now()
        let current = book.decisions[key]
        guard scope == .whileInUse || scope == .always && current?.verdict == .authorized || verdict == .denied else {
            throw AuthorizationError(.notAnUpgrade, key.resource, key.client, name: key.client.rawValue)
        }
        // No notice was shown: a yes in settings agrees to no keeping, and one that changes a yes leaves what was agreed.
        let agreed = current?.program?.sha256 == program?.sha256 ? current?.terms?.kept : nil
        // Whoever chose a scope in settings need not be asked about it.
        let terms =
            verdict == .authorized
            ? Terms(
                scope: scope, upgrade: .asked, fidelity: fidelity, usedAt: moment, reviewedAt: moment,
                kept: agreed ?? [:], engine: configuration.engine.recipient) : nil
        var decision = Decision(
            key: key, verdict: verdict, program: program, terms: terms,
            indication: Indication(settlingFor: key.user, by: caller), decidedAt: configuration.now().date)
        let epoch = advanceEpoch(of: key)
        if verdict == .denied {
            book.store(decision)
            endLeases(.revoked) { $0 == key }
        } else {
            if fidelity == .reduced { lowerFidelity(of: key) }
            if scope == .whileInUse { lowerScope(of: key) }
        }
        let index = try await record(
            .decidedInSettings(key, verdict, terms, notice: notice, by: caller), changing: .store(decision))
        if verdict == .authorized, epochs[key] == epoch {
            decision.record = index
            book.store(decision)
        } else {
            book.note(record: index, of: decision)
        }
        announce(AuthorizationChange(key: key))
    }

    /// Takes an answer back: the status is `notDetermined` again, and sessions that stood on it end.
    ///
    /// - Parameter notice: what the settings show about the client; `nil` where no manifest describes it.
    public func reset(_ key: DecisionKey, notice: Notice? = nil, by caller: Caller) async throws {
        advanceEpoch(of: key)
        let decision = book.decisions[key]?.record
        // An answer that is being written is not in the book yet; the ledger keeps the order of the two.
        let hasAnswer = book.remove(key) || committing.contains(key)
        endLeases(.revoked) { $0 == key }
        guard hasAnswer else { return }
        try await record(.withdrawn(key, notice: notice, decision: decision, by: caller), changing: .remove(key))
        announce(AuthorizationChange(key: key))
    }

    /// The person's switch for everything at once. It takes hold first and is written down then.
    ///
    /// - Throws: the ledger's error; everything stays muted until the service ends.
    public func mute(by caller: Caller) async throws {
        muteEpoch += 1
        book.setMuted(true)
        endLeases(.muted) { _ in true }
        for key in pending.keys { withdraw(key) }
        announce(AuthorizationChange(key: nil))
        try await record(.muted(by: caller), changing: nil)
    }

    /// Written down first. What the mute has ended does not begin again by itself.
    public func unmute(by caller: Caller) async throws {
        guard book.isMuted else { return }
        let epoch = muteEpoch
        try await record(.unmuted(by: caller), changing: nil)
        // A mute that came while this was being written was recorded after it, and holds.
        guard muteEpoch == epoch else { return }
        book.setMuted(false)
        announce(AuthorizationChange(key: nil))
    }

    public var isMuted: Bool { book.isMuted }

    @discardableResult
    private func advanceEpoch(of key: DecisionKey) -> UInt64 {
        epochs[key, default: 0] += 1
        withdraw(key)
        return epochs[key, default: 0]
    }
}
