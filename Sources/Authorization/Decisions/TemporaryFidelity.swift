/// Full fidelity that was allowed to one process for its next session. Never stored.
struct TemporaryFidelity: Sendable {
    private var allowed: [DecisionKey: Set<ProcessIdentity>] = [:]

    func isAllowed(_ key: DecisionKey, _ process: ProcessIdentity) -> Bool {
        allowed[key]?.contains(process) == true
    }

    mutating func allow(_ key: DecisionKey, _ process: ProcessIdentity) {
        allowed[key, default: []].insert(process)
    }

    /// Uses it up for the session that begins.
    mutating func take(_ key: DecisionKey, _ process: ProcessIdentity) -> Bool {
        allowed[key]?.remove(process) != nil
    }

    mutating func remove(_ key: DecisionKey) { allowed[key] = nil }

    mutating func processEnded(_ process: ProcessIdentity) {
        for key in allowed.keys { allowed[key]?.remove(process) }
    }
}
