import Foundation

/// Where a log keeps its bytes. It stores and returns; what they mean, and whether they fit, is the log's matter.
public protocol ConsentStorage: Sendable {
    func summary() async throws -> StoredSummary

    /// Writes all of it in one transaction; durable when it returns.
    ///
    /// - Throws: a `StorageFailure`; any other error counts as one whose outcome is unknown.
    func append(_ batch: StoredBatch) async throws

    /// Up to `limit` records with a greater index (`nil`: from the first), in order, and when these are the last ones
    /// also the end of the log, all as of one moment.
    func page(after index: Int64?, limit: Int) async throws -> StoredPage

    /// The last up to `limit` records with a smaller index (`nil`: of all), in order; of the kinds that are named, and
    /// where none is, of all.
    func records(of kinds: [String], before index: Int64?, limit: Int) async throws -> [StoredRecord]

    /// The records of a range that are there, in order.
    func records(in range: Range<Int64>) async throws -> [StoredRecord]

    /// The nodes of one level in a range of positions that are there, in order.
    func nodes(level: Int, in positions: Range<Int64>) async throws -> [TreeNode]

    /// Keeps a checkpoint, in place of one of the same size.
    func keep(_ checkpoint: StoredCheckpoint) async throws

    /// Smallest first.
    func checkpoints() async throws -> [StoredCheckpoint]

    /// A secret of this log that is not in its records; random bytes, made when it is first asked for.
    func secret(_ name: String, size: Int) async throws -> Data

    func decisions() async throws -> [StoredDecision]

    /// What is stored was found to be the log; until then nothing that was there may be changed for good.
    func settle() async throws
}

extension ConsentStorage {
    public func settle() async throws {}
}
