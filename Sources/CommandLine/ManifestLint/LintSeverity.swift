/// How bad a finding is.
public enum LintSeverity: String, Sendable, Codable, Hashable, CaseIterable {
    /// The person would be told too little or something untrue, or the manifest does not work.
    case error
    /// The person could be told better.
    case warning
    /// Worth a thought.
    case hint
}
