import Foundation

extension ConsentStorage {
    /// The tree of what is stored, after a quick look at whether the records end where the tree does.
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
        let last = try await records(of: [], before: nil, limit: isWhole ? subtreeSize : 1)
        var subtree = Frontier()
        do throws(RecordProblem) {
            for record in last { subtree.append(leaf: try checked(record)) }
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
                The consent log does not fit together (\(reason)), and nothing may be granted on it. \
                Put the state directory aside or restore it from a backup, then start again.
                """)
    }
}
