/// Data of a session that is kept after it, as it is written down before it is kept.
public struct RetainedData: Sendable, Hashable {
    /// UUID of the session it came from.
    public let session: String
    public let client: ClientIdentifier
    public let user: UInt32
    /// UUID of the kept item; its erasure names it.
    public let item: String
    public let kind: DataKind
    public let bytes: Int64
    public let until: RetentionEnd
    /// Where it lies, as a person can find it.
    public let location: String

    public init(
        session: String, client: ClientIdentifier, user: UInt32, item: String, kind: DataKind, bytes: Int64,
        until: RetentionEnd, location: String
    ) {
        self.session = session
        self.client = client
        self.user = user
        self.item = item
        self.kind = kind
        self.bytes = bytes
        self.until = until
        self.location = location
    }
}
