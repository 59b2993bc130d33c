/// The program that a yes was given to, as it was then.
public struct AllowedProgram: Sendable, Hashable, Codable {
    /// SHA-256 of what identifies it, lower-case hexadecimal; see `Executable.sha256`.
    public let sha256: String
    /// Shown beside the new one when it has changed; `nil` when an earlier version stored the decision.
    public let path: String?

    public init(sha256: String, path: String?) {
        self.sha256 = sha256
        self.path = path
    }

    public init(_ executable: Executable) {
        self.init(sha256: executable.sha256, path: executable.path)
    }
}
