/// Why a record's fields stay although their erasure was asked for.
public enum ErasureExemption: String, Sendable, Hashable, Codable, CodingKeyRepresentable {
    /// A decision is in force, and what it stands on proves that it was made.
    case decisionInForce
    /// A monitor is registered; its record is the only place that says so.
    case monitorRegistered
    /// The session goes on.
    case sessionRunning
    /// It ends an earlier decision whose record stays, because the clock was set back in between: without it that one would
    /// look as if it were in force.
    case endsEarlierDecision
    /// It tells of the log itself, of its keys, or of what was erased.
    case logItself
}
