/// Why a record stays although its erasure was asked for.
public enum KeepingReason: String, Sendable, Codable, Hashable, CaseIterable {
    /// What the person decided is in force.
    case decisionInForce
    /// A monitor is registered.
    case monitor
    /// A session runs.
    case runningSession
    /// It says that everything is muted.
    case muted
    /// It tells what was erased, asked for and exported, or what the log itself did.
    case accountability
}
