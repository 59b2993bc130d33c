/// Why a record stays although its erasure was asked for.
public enum KeepingReason: String, Sendable, Codable, Hashable, CaseIterable {
    /// What the person decided is in force.
    case decisionInForce
    case monitorRegistered
    case sessionRunning
    /// It tells of the log itself: of its keys, of what was asked of it, and of what was erased.
    case endsEarlierDecision
    case logItself
}
