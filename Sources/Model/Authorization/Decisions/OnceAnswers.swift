/// Grants for one session, each of the process that asked. Never stored.
struct OnceAnswers: Sendable {
    private struct Entry: Sendable {
        let executableSHA256: String
        let fidelity: Fidelity
        let kept: KeepingTimes
        /// Index of the answer's record.
        let record: UInt64
        /// The lease of the session, once that has begun.
        var usedBy: String?
    }

    private var entries: [DecisionKey: [ProcessIdentity: Entry]] = [:]

    func standing(of key: DecisionKey, for caller: Caller) -> Standing? {
        guard let entry = entries[key]?[caller.process], entry.executableSHA256 == caller.executable.sha256 else {
            return nil
        }
        return entry.usedBy == nil
            ? .authorized(Terms(scope: .once, fidelity: entry.fidelity, kept: entry.kept)) : .inUseOnce
    }

    var keys: some Sequence<DecisionKey> { entries.keys }

    var processes: Set<ProcessIdentity> { Set(entries.values.lazy.flatMap(\.keys)) }

    func hasAnswer(for key: DecisionKey) -> Bool { entries[key] != nil }

    func record(of key: DecisionKey, for process: ProcessIdentity) -> UInt64? { entries[key]?[process]?.record }

    func excerpt(about key: DecisionKey) -> OnceAnswers {
        var excerpt = OnceAnswers()
        excerpt.entries[key] = entries[key]
        return excerpt
    }

    /// Allows the process's next session.
    mutating func allow(
        _ key: DecisionKey, _ caller: Caller, fidelity: Fidelity, kept: KeepingTimes, record: UInt64
    ) {
        entries[key, default: [:]][caller.process] = Entry(
            executableSHA256: caller.executable.sha256, fidelity: fidelity, kept: kept, record: record)
    }

    /// Marks the grant as used, so that it allows no second session.
    mutating func begin(_ key: DecisionKey, of process: ProcessIdentity, lease: String) {
        entries[key]?[process]?.usedBy = lease
    }

    /// - Returns: whether the lease used a grant, which has now ended.
    mutating func end(_ key: DecisionKey, of process: ProcessIdentity, lease: String) -> Bool {
        guard entries[key]?[process]?.usedBy == lease else { return false }
        remove(key, process)
        return true
    }

    /// - Returns: whether there were any.
    @discardableResult
    mutating func remove(_ key: DecisionKey) -> Bool { entries.removeValue(forKey: key) != nil }

    /// Removes the process's unused grants; a used one ends with its session.
    ///
    /// - Returns: their keys.
    mutating func processEnded(_ process: ProcessIdentity) -> [DecisionKey] {
        let keys = entries.keys.filter { key in
            guard let entry = entries[key]?[process] else { return false }
            return entry.usedBy == nil
        }
        for key in keys { remove(key, process) }
        return keys
    }

    private mutating func remove(_ key: DecisionKey, _ process: ProcessIdentity) {
        entries[key]?[process] = nil
        if entries[key]?.isEmpty == true { entries[key] = nil }
    }
}

/// Full fidelity for a process's next session. Never stored.
struct TemporaryFidelity: Sendable {
    /// Index of each answer's record.
    private var allowed: [DecisionKey: [ProcessIdentity: UInt64]] = [:]

    var processes: Set<ProcessIdentity> { Set(allowed.values.lazy.flatMap(\.keys)) }

    func isAllowed(_ key: DecisionKey, _ process: ProcessIdentity) -> Bool { allowed[key]?[process] != nil }

    mutating func allow(_ key: DecisionKey, _ process: ProcessIdentity, record: UInt64) {
        allowed[key, default: [:]][process] = record
    }

    /// Uses it for the session that begins.
    ///
    /// - Returns: the index of the answer's record; `nil` if there is none.
    mutating func take(_ key: DecisionKey, _ process: ProcessIdentity) -> UInt64? {
        defer { if allowed[key]?.isEmpty == true { allowed[key] = nil } }
        return allowed[key]?.removeValue(forKey: process)
    }

    mutating func remove(_ key: DecisionKey) { allowed[key] = nil }

    mutating func processEnded(_ process: ProcessIdentity) {
        for key in Array(allowed.keys) { _ = take(key, process) }
    }
}
