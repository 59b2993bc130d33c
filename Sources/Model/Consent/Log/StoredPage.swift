/// Consecutive records.
public struct StoredPage: Sendable, Hashable {
    public let records: [StoredRecord]
    /// There when no record follows.
    public let end: StoredEnd?

    public init(records: [StoredRecord], end: StoredEnd?) {
        self.records = records
        self.end = end
    }
}
