/// Kept data of one client that is no more.
public struct ErasedData: Sendable, Hashable {
    public let items: [String]
    public let kinds: Set<DataKind>
    public let client: ClientIdentifier
    public let user: UInt32
    public let reason: ErasureReason

    public init(
        items: [String], kinds: Set<DataKind>, client: ClientIdentifier, user: UInt32, reason: ErasureReason
    ) {
        self.items = items
        self.kinds = kinds
        self.client = client
        self.user = user
        self.reason = reason
    }
}
