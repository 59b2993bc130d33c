import Authorization

/// `GET /v1/log/collector`: who receives this machine's consent records.
public struct CollectorReply: Sendable, Hashable, Codable {
    public var url: String
    public var name: String
    public var purpose: String
    public var send: RecordCollector.Sending
    /// The log's name: that of its checkpoints and of its keys.
    public var origin: String
    /// Verifier keys, newest last.
    public var keys: [String]

    public init(
        url: String, name: String, purpose: String, send: RecordCollector.Sending, origin: String, keys: [String]
    ) {
        self.url = url
        self.name = name
        self.purpose = purpose
        self.send = send
        self.origin = origin
        self.keys = keys
    }
}

/// A line of `GET /v1/log/growth`.
public struct LogGrowthLine: Sendable, Hashable, Codable {
    /// Records that the newest signed checkpoint has.
    public var size: UInt64

    public init(size: UInt64) { self.size = size }
}
