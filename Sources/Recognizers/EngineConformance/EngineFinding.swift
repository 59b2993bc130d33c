/// What one rule of the engine protocol found.
public struct EngineFinding: Sendable, Hashable, Codable {
    public enum Result: String, Sendable, Hashable, Codable {
        case kept
        case broken
        /// Needs what was not given, such as a recording.
        case notTried
    }

    public let rule: EngineRule
    public let result: Result
    /// What happened, where the rule is broken or was not tried.
    public let detail: String?
}
