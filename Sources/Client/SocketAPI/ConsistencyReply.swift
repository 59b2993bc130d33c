/// Answer to `GET /v1/audit/consistency?from=N&to=M`: RFC 6962's proof.
public struct ConsistencyReply: Sendable, Hashable, Codable {
    public let from: UInt64
    public let to: UInt64
    /// base64
    public let hashes: [String]

    public init(from: UInt64, to: UInt64, hashes: [String]) {
        self.from = from
        self.to = to
        self.hashes = hashes
    }
}
