/// The answer to `POST /v1/audit/exports`.
public struct ExportReply: Sendable, Hashable, Codable {
    /// The record that says so.
    public let record: UInt64
    /// A signed note over `<origin>/export` and the SHA-256; `nil` where the log has no key.
    public let signature: String?

    public init(record: UInt64, signature: String?) {
        self.record = record
        self.signature = signature
    }
}
