/// How far a yes reaches.
public enum Scope: String, Sendable, Codable, Hashable, CaseIterable {
    /// One session of the process that asked; then the status is `notDetermined` again.
    case once
    /// Whenever the client is in use.
    case whileInUse
}
