/// Grants for one use, each of the process that asked: they last while that process lives and is in use. Never stored.
struct OnceAnswers: Sendable {
    private struct Entry: Sendable {
        let executableSHA256: String
        let fidelity: Fidelity
        /// What the person was shown.
        let agreed: Agreement
        /// Index of the answer's record.
        let record: UInt64
        /// When the process was first seen out of use; `nil` while it is in use.
        var outOfUseSince: Moment?
    }

    private var entries: ProcessTable<Entry>

    private init(entries: ProcessTable<Entry>) { self.entries = entries }

    init() { self.init(entries: ProcessTable()) }

    func standing(
        of key: DecisionKey, for requester: Requester, _ engine: SpeechEngine, _ collector: RecordCollector?
    ) -> Standing? {
        let caller = requester.caller
        guard let entry = entries[key, caller.process], entry.executableSHA256 == caller.executable.sha256 else {
            return nil
        }
        if let declared = requester.client.declared(key.resource, in: entry.agreed.language),
            !entry.agreed.additions(
                in: declared.recognised(by: engine, recordsTo: collector), key.resource, at: entry.fidelity
            ).isEmpty
        {
            return nil
        }
        return .authorized(Terms(scope: .once, fidelity: entry.fidelity, agreed: entry.agreed))
    }

    var keys: some Sequence<DecisionKey> { entries.keys }

    var processes: Set<ProcessIdentity> { entries.processes }

    func hasAnswer(for key: DecisionKey) -> Bool { entries.contains(key) }

    func record(of key: DecisionKey, for process: ProcessIdentity) -> UInt64? { entries[key, process]?.record }

    func excerpt(about key: DecisionKey) -> OnceAnswers { OnceAnswers(entries: entries.excerpt(about: key)) }

    func excerpt(ofUser user: UInt32) -> OnceAnswers { OnceAnswers(entries: entries.excerpt(ofUser: user)) }

    /// Allows the sessions of the process's use that has begun.
    mutating func allow(
        _ key: DecisionKey, _ caller: Caller, fidelity: Fidelity, agreed: Agreement, record: UInt64
    ) {
        entries[key, caller.process] = Entry(
            executableSHA256: caller.executable.sha256, fidelity: fidelity, agreed: agreed, record: record)
    }

    /// - Returns: whether there were any.
    @discardableResult
    mutating func remove(_ key: DecisionKey) -> Bool { entries.remove(key) }

    /// Notes whether the process is in use, and removes its grants if it has not been for the time.
    ///
    /// - Parameter limit: milliseconds.
    /// - Returns: the keys of the removed ones.
    mutating func note(
        _ process: ProcessIdentity, isInUse: Bool, at moment: Moment, limit: Int64
    ) -> [DecisionKey] {
        var ended: [DecisionKey] = []
        for key in entries.keys {
            guard let entry = entries[key, process] else { continue }
            let since = isInUse ? nil : entry.outOfUseSince ?? moment
            entries[key, process]?.outOfUseSince = since
            // An unknown time counts as too long.
            if let since, moment.elapsed(since: since) ?? limit >= limit { ended.append(key) }
        }
        for key in ended { entries[key, process] = nil }
        return ended
    }

    /// Removes the process's grants.
    ///
    /// - Returns: their keys.
    mutating func processEnded(_ process: ProcessIdentity) -> [DecisionKey] { entries.processEnded(process) }
}

/// Full fidelity for a process's next session. Never stored.
struct TemporaryFidelity: Sendable {
    private struct Entry: Sendable {
        /// Index of the answer's record.
        let record: UInt64
        /// The lease of the session, once that has begun.
        var usedBy: String?
    }

    private var entries: ProcessTable<Entry>

    private init(entries: ProcessTable<Entry>) { self.entries = entries }

    init() { self.init(entries: ProcessTable()) }

    var processes: Set<ProcessIdentity> { entries.processes }

    /// Whether the process's next session may have it, or the one that runs has it.
    func isAllowed(_ key: DecisionKey, _ process: ProcessIdentity) -> Bool { entries[key, process] != nil }

    func isAllowed(_ key: DecisionKey) -> Bool { entries.contains(key) }

    func excerpt(about key: DecisionKey) -> TemporaryFidelity {
        TemporaryFidelity(entries: entries.excerpt(about: key))
    }

    func excerpt(ofUser user: UInt32) -> TemporaryFidelity { TemporaryFidelity(entries: entries.excerpt(ofUser: user)) }

    mutating func allow(_ key: DecisionKey, _ process: ProcessIdentity, record: UInt64) {
        entries[key, process] = Entry(record: record)
    }

    /// Uses it for the session that begins.
    ///
    /// - Returns: the index of the answer's record; `nil` if there is none, or another session has it.
    mutating func take(_ key: DecisionKey, _ process: ProcessIdentity, lease: String) -> UInt64? {
        guard let entry = entries[key, process], entry.usedBy == nil else { return nil }
        entries[key, process]?.usedBy = lease
        return entry.record
    }

    /// - Returns: whether the lease used it; it has ended then.
    mutating func end(_ key: DecisionKey, of process: ProcessIdentity, lease: String) -> Bool {
        guard entries[key, process]?.usedBy == lease else { return false }
        entries[key, process] = nil
        return true
    }

    mutating func remove(_ key: DecisionKey) { entries.remove(key) }

    /// - Returns: the keys whose fidelity may have changed.
    mutating func processEnded(_ process: ProcessIdentity) -> [DecisionKey] { entries.processEnded(process) }
}
