import Base

/// A grant for one use, of the process that asked: it lasts while that process lives and is in use. Never stored.
struct OnceAnswer: Sendable {
    let executableSHA256: String
    let fidelity: Fidelity
    /// What the person was shown.
    let agreed: Agreement
    /// Index of the answer's record.
    let record: UInt64
    /// When the process was first seen out of use; `nil` while it is in use.
    var outOfUseSince: Moment?
}

extension ProcessTable<OnceAnswer> {
    func standing(
        of key: DecisionKey, for requester: Requester, _ engine: SpeechEngine, _ collector: RecordCollector?
    ) -> Standing? {
        let caller = requester.caller
        guard let answer = self[key, caller.process], answer.executableSHA256 == caller.executable.sha256 else {
            return nil
        }
        if let declared = requester.client.declared(key.resource, in: answer.agreed.language),
            !answer.agreed.additions(
                in: declared.recognised(by: engine, recordsTo: collector), key.resource, at: answer.fidelity
            ).isEmpty
        {
            return nil
        }
        return .authorized(Terms(scope: .once, fidelity: answer.fidelity, agreed: answer.agreed))
    }

    /// Notes whether the process is in use, and removes its grants if it has not been for the time.
    ///
    /// - Parameter limit: milliseconds.
    /// - Returns: the keys of the removed ones.
    mutating func note(
        _ process: ProcessIdentity, isInUse: Bool, at moment: Moment, limit: Int64
    ) -> [DecisionKey] {
        var ended: [DecisionKey] = []
        for key in keys {
            guard let answer = self[key, process] else { continue }
            let since = isInUse ? nil : answer.outOfUseSince ?? moment
            self[key, process]?.outOfUseSince = since
            // An unknown time counts as too long.
            if let since, moment.elapsed(since: since) ?? limit >= limit { ended.append(key) }
        }
        for key in ended { self[key, process] = nil }
        return ended
    }
}

/// Full fidelity for a process's next session. Never stored.
struct TemporaryFidelity: Sendable {
    /// Index of the answer's record.
    let record: UInt64
    /// The lease of the session, once that has begun.
    var usedBy: String?
}

extension ProcessTable<TemporaryFidelity> {
    /// Uses it for the session that begins.
    ///
    /// - Returns: the index of the answer's record; `nil` if there is none, or another session has it.
    mutating func take(_ key: DecisionKey, _ process: ProcessIdentity, lease: String) -> UInt64? {
        guard let entry = self[key, process], entry.usedBy == nil else { return nil }
        self[key, process]?.usedBy = lease
        return entry.record
    }

    /// - Returns: whether the lease used it; it has ended then.
    mutating func end(_ key: DecisionKey, of process: ProcessIdentity, lease: String) -> Bool {
        guard self[key, process]?.usedBy == lease else { return false }
        self[key, process] = nil
        return true
    }
}
