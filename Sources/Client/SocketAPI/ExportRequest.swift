import Foundation

/// The body of `POST /v1/audit/exports`: an export that was made, to be written down.
public struct ExportRequest: Sendable, Hashable, Codable {
    public let format: String
    /// SHA-256 of the file, or of a bundle's `SHA256SUMS`; lower-case hexadecimal.
    public let sha256: String
    /// Records that the log had.
    public let size: UInt64
    /// What it was narrowed to.
    public let client: String?
    public let since: Date?
    public let until: Date?
    /// A pseudonym or a user's number.
    public let subject: String?

    public init(
        format: String, sha256: String, size: UInt64, client: String? = nil, since: Date? = nil, until: Date? = nil,
        subject: String? = nil
    ) {
        self.format = format
        self.sha256 = sha256
        self.size = size
        self.client = client
        self.since = since
        self.until = until
        self.subject = subject
    }
}
