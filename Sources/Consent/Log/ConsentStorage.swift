/// Where a log keeps its bytes. It stores and returns; what they mean, and whether they fit, is the log's matter.
public protocol ConsentStorage: Sendable {
    func summary() async throws -> StoredSummary

    /// Writes all three in one transaction; durable when it returns.
    ///
    /// - Throws: a `StorageFailure`; any other error counts as one whose outcome is unknown.
    func append(_ record: StoredRecord, tree: StoredTree, change: StoredChange?) async throws

    /// Up to `limit` records with a greater index (`nil`: from the first), in order, and when these are the last ones
    /// also the end of the log, all as of one moment.
    func page(after index: Int64?, limit: Int) async throws -> StoredPage

    /// The last up to `limit` records with a smaller index (`nil`: of all), in order.
    func records(before index: Int64?, limit: Int) async throws -> [StoredRecord]

    func decisions() async throws -> [StoredDecision]
}
