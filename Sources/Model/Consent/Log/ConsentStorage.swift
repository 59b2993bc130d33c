import Foundation

/// Stores a log's bytes; the log checks them.
public protocol ConsentStorage: Sendable {
    func summary() async throws -> StoredSummary

    /// Writes all of it in one transaction; durable when it returns. Called on the log's own thread, which it may block.
    ///
    /// - Throws: a `StorageFailure`; any other error counts as one whose outcome is unknown.
    nonisolated(nonsending) func append(_ batch: StoredBatch) async throws

    /// Shows the records of a range to a body, in order, on a thread of the storage's own; several scans run at once.
    ///
    /// - Parameters:
    ///   - range: of indexes, which in an altered log may be anything.
    ///   - body: makes the value; returns false to end the scan.
    /// - Returns: the value; for a range up to `Int64.max` also the end of the log as of the same moment.
    func scan<Value: Sendable>(
        _ range: Range<Int64>, into value: Value, _ body: @escaping @Sendable (inout Value, RecordBytes) -> Bool
    ) async throws -> (Value, StoredEnd?)

    /// The first up to `limit` records of a range in this direction, in the order in which they are met.
    ///
    /// - Parameter kinds: empty: all.
    func records(
        of kinds: [String], in range: Range<Int64>, _ direction: LogDirection, limit: Int
    ) async throws -> [StoredRecord]

    /// The nodes of one level in a range of positions that are there, in order.
    func nodes(level: Int, in positions: Range<Int64>) async throws -> [TreeNode]

    /// Keeps a checkpoint, in place of one of the same size.
    func keep(_ checkpoint: StoredCheckpoint) async throws

    /// Smallest first.
    func checkpoints() async throws -> [StoredCheckpoint]

    /// A secret of this log that is not in its records; random bytes, made when it is first asked for.
    func secret(_ name: String, size: Int) async throws -> Data

    func decisions() async throws -> [StoredDecision]

    /// The stored log is the one to continue; until this call no earlier content may be changed permanently.
    func settle() async throws
}

public enum LogDirection: Sendable {
    case forward
    case backward
}

extension ConsentStorage {
    public func settle() async throws {}
}

/// An error of a storage that knows whether the transaction it ends can still be on the disk.
public protocol StorageFailure: Error {
    /// True after a failed write or sync: what is on the disk is unknown until it is opened and read again.
    var leavesOutcomeUnknown: Bool { get }
}

extension ConsentStorage {
    /// The stored tree, after a quick check that the records end where the tree does.
    ///
    /// Reads at most the last 1,024 records: the smallest complete subtree, or only the last record when that is larger.
    func checkedTree() async throws -> Frontier {
        let summary = try await summary()
        guard let stored = summary.tree else {
            guard summary.indexes == nil else { throw ConsentError.corrupt("there are records, but no tree") }
            return Frontier()
        }
        guard let tree = stored.tree, tree.size > 0 else {
            throw ConsentError.corrupt("the head of the tree was changed")
        }
        guard let indexes = summary.indexes, indexes == 0...(stored.size - 1) else {
            throw ConsentError.corrupt("the head of the tree counts \(stored.size) records, but others are there")
        }
        let subtreeSize = 1 << tree.size.trailingZeroBitCount
        let isWhole = subtreeSize <= 1024
        let last = try await records(of: [], in: 0..<Int64.max, .backward, limit: isWhole ? subtreeSize : 1)
        var subtree = Frontier()
        do throws(RecordProblem) {
            for record in last.reversed() { subtree.append(leaf: try checked(record)) }
        } catch {
            throw ConsentError.corrupt(error.message)
        }
        guard !isWhole || subtree.subtrees == tree.subtrees.suffix(1) else {
            throw ConsentError.corrupt("the last records are not those that the tree was built from")
        }
        return tree
    }

    private func checked(_ stored: StoredRecord) throws(RecordProblem) -> Data {
        _ = try ConsentRecord(stored)
        return stored.leaf
    }
}

extension ConsentError {
    static func corrupt(_ reason: String) -> ConsentError {
        ConsentError(
            code: .corrupt,
            message: """
                The consent log is inconsistent (\(reason)), so no permission is granted. \
                Put the state directory aside or restore it from a backup, then start again.
                """)
    }
}
