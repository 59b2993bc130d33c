/// Locked, switched and sleeping users. Only the microphone is concerned: a sound file is recognised to its end.
extension Gate {
    /// Notes who is absent now. Takes effect at once: a session that may listen only in the foreground ends, any other listens to
    /// nothing until its user is back.
    public func note(_ absences: Absences) {
        guard absences != self.absences else { return }
        let before = self.absences
        self.absences = absences
        endLeases { lease in
            guard let absence = absence(of: lease), !lease.outlastsAbsence else { return nil }
            return LeaseEnding(absence)
        }
        for lease in liveLeases.values.joined() { lease.setAbsence(absence(of: lease)) }
        // Monitors are evaluated again. No permission has changed.
        let users = Set(before.users.keys).union(absences.users.keys).filter { before[$0] != absences[$0] }
        if before.isAsleep != absences.isAsleep { history.signalToAll() } else { history.signal(users) }
    }

    /// Why the user's microphone listens to nothing now.
    func absence(of resource: Resource, _ requester: Requester) -> Absence? {
        resource == .microphone ? absences[requester.caller.user] : nil
    }

    private func absence(of lease: Lease) -> Absence? {
        guard lease.key.resource == .microphone, let absence = absences[lease.key.user] else { return nil }
        return lease.ignores(absence) ? nil : absence
    }
}

extension Agreement {
    /// Whether the person was shown that monitors listen then.
    func allowsMonitors(during absence: Absence) -> Bool { absence != .asleep && backgroundModes.contains(.locked) }
}
