import Foundation

extension ConsentLog {
    /// The root of the first `size` records.
    ///
    /// - Throws: `ConsentError` with `noSuchRecord` when there are fewer.
    public func root(at size: UInt64) async throws -> MerkleHash {
        guard size <= tree.size else { throw ConsentError.noSuchRecord(size, of: tree.size) }
        if size == tree.size { return tree.root }
        var reader = SubtreeReader(storage: storage, size: size)
        return try await reader.hash(of: 0..<size)
    }

    /// A proof, verifiable without the log, that a record is in it.
    ///
    /// - Throws: `ConsentError` with `noSuchRecord`.
    public func inclusionProof(of index: UInt64) async throws -> OfflineProof {
        guard index < tree.size else { throw ConsentError.noSuchRecord(index, of: tree.size) }
        let note = try await signedCheckpoint()
        guard let checkpoint = Checkpoint(text: note.text), index < checkpoint.size else {
            throw ConsentError.noSuchRecord(index, of: tree.size)
        }
        var reader = SubtreeReader(storage: storage, size: checkpoint.size)
        let inclusion = try await reader.inclusionProof(of: index)
        guard let proof = inclusion.flatMap({ OfflineProof($0, in: note) }) else {
            throw ConsentError.noSuchRecord(index, of: checkpoint.size)
        }
        return proof
    }

    /// A proof that the log of an earlier size is the beginning of that of a later one.
    ///
    /// - Throws: `ConsentError` with `noSuchRecord`.
    public func consistencyProof(from: UInt64, to: UInt64) async throws -> ConsistencyProof {
        guard to <= tree.size, let plan = ProofPlan.consistency(from: from, to: to) else {
            throw ConsentError.noSuchRecord(max(from, to), of: tree.size)
        }
        var reader = SubtreeReader(storage: storage, size: to)
        guard let proof = ConsistencyProof(from: from, to: to, hashes: try await reader.hashes(of: plan)) else {
            throw ConsentError.noSuchRecord(from, of: tree.size)
        }
        return proof
    }
}

extension ConsentError {
    static func noSuchRecord(_ index: UInt64, of size: UInt64) -> ConsentError {
        ConsentError(code: .noSuchRecord, message: "The log has \(size) records and nothing at \(index).")
    }
}

extension SubtreeReader {
    init(storage: any ConsentStorage, size: UInt64) {
        self.init(size: size) { level, position in
            let (bits, width) = (level * TreeNode.spacing, Int64(Self.width))
            let first = Int64(clamping: position) * width
            let range = first..<max(first, min(first + width, Int64(clamping: size >> UInt64(bits))))
            return level == 0
                ? try await storage.records(of: [], in: range, .forward, limit: range.count).map { .leaf($0.leaf) }
                : try await storage.nodes(level: bits, in: range).map(\.hash)
        } missing: { _, _ in
            ConsentError(
                code: .corrupt,
                message: "A part of the log's tree is not there. Run `voicegate audit verify` to see what is missing.")
        }
    }
}
