/// A mute or an unmute in the ledger's order.
struct MuteWrite {
    let isMute: Bool
    let user: UInt32
    let ticket: Ticket

    /// Whether it is durable or being written.
    var holds: Bool {
        if case .failure? = ticket.outcome { false } else { true }
    }
}

/// Mutes. No path of them waits for a prompt, for the ledger's verification or for other users' requests.
extension Gate {
    /// Mutes. Takes effect before it is recorded; recorded once, however often it is requested. Root's takes the place of
    /// another user's, who could end that.
    ///
    /// - Returns: `false` if root has ended a mute of everyone since the start: only root mutes everyone then.
    /// - Throws: the ledger's error; what is muted then remains so until the service ends.
    @discardableResult
    public func mute(_ scope: MuteScope, by caller: Caller) async throws -> Bool {
        let replacesOthers = caller.user == 0
        if let last = muteWrites[scope], last.holds {
            if last.isMute, last.user == 0 || !replacesOthers {
                _ = try await last.ticket.value
                return true
            }
            if !last.isMute, scope == .everyone, last.user == 0, !replacesOthers { return false }
        }
        // It was read from the ledger.
        if let mute = book.mutes[scope], muteWrites[scope] == nil, !isMuteUnknown, mute.user == 0 || !replacesOthers {
            return true
        }
        var mutes = book.mutes
        mutes[scope] = Mute(scope, by: caller)
        book.apply(mutes)
        endLeases(.muted) { scope.covers($0.user) }
        for key in pending.keys where scope.covers(key.user) { withdraw(key) }
        announce(scope)
        _ = try await write(.muted(scope, by: caller), of: scope, by: caller, isMute: true).value
        return true
    }

    /// Takes effect after it is recorded. Ended sessions do not begin again.
    ///
    /// - Parameter managing: the caller may end also a mute of another user, as root, or one whose user is not known.
    /// - Returns: `false` if the caller may not end it.
    @discardableResult
    public func unmute(_ scope: MuteScope, by caller: Caller, managing: Bool = false) async throws -> Bool {
        guard let mute = book.mutes[scope] else { return true }
        guard managing || caller.user == 0 || mute.user == caller.user else { return false }
        let ticket =
            if let last = muteWrites[scope], !last.isMute, last.ticket.outcome == nil {
                last.ticket
            } else {
                write(.unmuted(scope, by: caller), of: scope, by: caller, isMute: false)
            }
        _ = try await ticket.value
        // A mute that came meanwhile was recorded after this, and overrides it.
        guard muteWrites[scope]?.ticket === ticket, book.mutes[scope] != nil else { return true }
        var mutes = book.mutes
        mutes[scope] = nil
        book.apply(mutes)
        announce(scope)
        return true
    }

    private func write(_ event: LedgerEvent, of scope: MuteScope, by caller: Caller, isMute: Bool) -> Ticket {
        let ticket = ledger.submit(event, changing: nil)
        muteWrites[scope] = MuteWrite(isMute: isMute, user: caller.user, ticket: ticket)
        return ticket
    }

    private func announce(_ scope: MuteScope) {
        switch scope {
        case .user(let user): announce(toUser: user)
        case .everyone: announceToAll()
        }
    }

    /// The mutes in force.
    public var mutes: Mutes { book.mutes }

    /// Whether the machine is muted for everyone.
    public var isMuted: Bool { book.mutes[.everyone] != nil }
}
