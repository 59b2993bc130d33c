/// Full fidelity that was allowed to one process for its next session. Never stored.
struct TemporaryFidelity: Sendable {
    /// The record of each answer.
    private var allowed: [DecisionKey: [ProcessIdentity: UInt64]] = [:]

    func isAllowed(_ key: DecisionKey, _ process: ProcessIdentity) -> Bool { allowed[key]?[process] != nil }

    mutating func allow(_ key: DecisionKey, _ process: ProcessIdentity, record: UInt64) {
        allowed[key, default: [:]][process] = record
    }

    /// Uses it up for the session that begins.
    ///
    /// - Returns: the index of the answer's record; `nil` when there is none.
    mutating func take(_ key: DecisionKey, _ process: ProcessIdentity) -> UInt64? {
        allowed[key]?.removeValue(forKey: process)
    }

    mutating func remove(_ key: DecisionKey) { allowed[key] = nil }

    mutating func processEnded(_ process: ProcessIdentity) {
        for key in allowed.keys { allowed[key]?[process] = nil }
    }
}
