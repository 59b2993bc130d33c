/// What is known for single processes about decisions. Never stored.
struct ProcessTable<Entry: Sendable>: Sendable {
    private var entries: [DecisionKey: [ProcessIdentity: Entry]] = [:]

    subscript(key: DecisionKey, process: ProcessIdentity) -> Entry? {
        get { entries[key]?[process] }
        set {
            entries[key, default: [:]][process] = newValue
            if entries[key]?.isEmpty == true { entries[key] = nil }
        }
    }

    var keys: some Collection<DecisionKey> { entries.keys }

    var processes: Set<ProcessIdentity> { Set(entries.values.lazy.flatMap(\.keys)) }

    func contains(_ key: DecisionKey) -> Bool { entries[key] != nil }

    func excerpt(about key: DecisionKey) -> Self {
        var excerpt = Self()
        excerpt.entries[key] = entries[key]
        return excerpt
    }

    func excerpt(ofUser user: UInt32) -> Self {
        var excerpt = Self()
        excerpt.entries = entries.filter { $0.key.user == user }
        return excerpt
    }

    /// - Returns: whether there were any.
    @discardableResult
    mutating func remove(_ key: DecisionKey) -> Bool { entries.removeValue(forKey: key) != nil }

    /// Removes what is known for the process.
    ///
    /// - Returns: the keys.
    mutating func processEnded(_ process: ProcessIdentity) -> [DecisionKey] {
        let keys = entries.keys.filter { self[$0, process] != nil }
        for key in keys { self[key, process] = nil }
        return keys
    }
}

/// The latest processes that have ended. A request that one of them began goes on if another process has its connection.
struct EndedProcesses: Sendable {
    private static let most = 1024

    /// Oldest first.
    private var processes: [ProcessIdentity] = []

    func contains(_ process: ProcessIdentity) -> Bool { processes.contains(process) }

    mutating func insert(_ process: ProcessIdentity) {
        guard !processes.contains(process) else { return }
        processes.append(process)
        if processes.count > Self.most { processes.removeFirst() }
    }
}
