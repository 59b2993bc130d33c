/// Data that was erased: kept items, or the fields of records. Both are named, and their content is gone.
public struct ErasedData: Sendable, Hashable {
    /// UUIDs of kept items; empty where records were erased.
    public let items: [String]
    public let kinds: [DataKind]
    /// Indexes of records whose fields were erased; empty where items were.
    public let records: [UInt64]
    /// `nil` where it was about more than one.
    public let client: ClientIdentifier?
    public let user: UInt32?
    public let reason: ErasureReason
    /// Of the request that it answers, where there was one.
    public let request: String?

    public init(
        items: [String], kinds: [DataKind], client: ClientIdentifier, user: UInt32, reason: ErasureReason,
        request: String? = nil
    ) {
        self.items = items
        self.kinds = kinds
        self.records = []
        self.client = client
        self.user = user
        self.reason = reason
        self.request = request
    }

    public init(
        records: [UInt64], client: ClientIdentifier? = nil, user: UInt32? = nil, reason: ErasureReason = .requested,
        request: String? = nil
    ) {
        self.items = []
        self.kinds = []
        self.records = records
        self.client = client
        self.user = user
        self.reason = reason
        self.request = request
    }
}
