/// How far a yes reaches.
public enum Scope: String, Sendable, Codable, Hashable, CaseIterable {
    /// One session of the process that asked; then the status is `notDetermined` again.
    case once
    /// Whenever the client is in use: in the foreground, or in the background with a declared background mode after a
    /// session that began in the foreground.
    case whileInUse
    /// Also without the person: a session may begin in the background, and monitors may be registered. Only an upgrade
    /// of `whileInUse`.
    case always
}
