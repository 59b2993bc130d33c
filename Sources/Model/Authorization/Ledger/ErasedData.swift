/// Kept data of one client that is no more.
public struct ErasedData: Sendable, Hashable {
    /// UUIDs.
    public let items: [String]
    public let kinds: [DataKind]
    public let client: ClientIdentifier
    public let user: UInt32
    public let reason: ErasureReason

    public init(
        items: [String], kinds: [DataKind], client: ClientIdentifier, user: UInt32, reason: ErasureReason
    ) {
        self.items = items
        self.kinds = kinds
        self.client = client
        self.user = user
        self.reason = reason
    }
}
