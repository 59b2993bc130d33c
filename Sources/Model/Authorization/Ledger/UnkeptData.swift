/// Data that was to be kept and could not be; the session that it was heard in went on.
public struct UnkeptData: Sendable, Hashable {
    /// UUID.
    public let session: String
    public let client: ClientIdentifier
    public let user: UInt32
    public let kind: DataKind
    /// A sentence.
    public let reason: String

    public init(session: String, client: ClientIdentifier, user: UInt32, kind: DataKind, reason: String) {
        self.session = session
        self.client = client
        self.user = user
        self.kind = kind
        self.reason = reason
    }
}
