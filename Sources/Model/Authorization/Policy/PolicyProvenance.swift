/// Where a policy came from, for the log: the files with their digests, and those that could not be read.
public struct PolicyProvenance: Sendable, Hashable {
    /// Path → SHA-256 of the file's bytes, hexadecimal.
    public let files: [String: String]
    /// Path → why it could not be used; the denials of its last good version stay in force.
    public let broken: [String: String]

    public init(files: [String: String], broken: [String: String]) {
        self.files = files
        self.broken = broken
    }
}
