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

    /// That a record is in the log, for whoever has only the record.
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

    /// That the log of an earlier size is the beginning of that of a later one.
    ///
    /// - Throws: `ConsentError` with `noSuchRecord`.
    public func consistencyProof(from: UInt64, to: UInt64) async throws -> ConsistencyProof {
        guard to <= tree.size, let plan = ProofPlan.consistency(from: from, to: to) else {
            throw ConsentError.noSuchRecord(max(from, to), of: tree.size)
        }
        var reader = SubtreeReader(storage: storage, size: to)
        var hashes: [MerkleHash] = []
        for range in plan { hashes.append(try await reader.hash(of: range)) }
        guard let proof = ConsistencyProof(from: from, to: to, hashes: hashes) else {
            throw ConsentError.noSuchRecord(from, of: tree.size)
        }
        return proof
    }

    /// The records that the filter admits, a page of them, for whoever checks them.
    ///
    /// - Parameters:
    ///   - size: the log's size up to which is read; with proofs the checkpoint's.
    ///   - after: the index that the page before named as `last`.
    /// - Throws: `ConsentError` with `corrupt` at a record that cannot be read.
    public nonisolated func entries(
        matching filter: AuditFilter = AuditFilter(), upTo size: UInt64, withProofs: Bool = false,
        after: UInt64? = nil
    ) async throws -> EntryPage {
        var reader = SubtreeReader(storage: storage, size: size)
        var entries: [AuditEntry] = []
        var next = after.map { $0 + 1 } ?? 0
        while next < size, entries.count < EntryPage.size {
            let end = min(next + UInt64(EntryPage.size), size)
            for stored in try await storage.records(in: Int64(clamping: next)..<Int64(clamping: end)) {
                let record = try Self.opened(stored)
                next = record.index + 1
                guard filter.admits(record) else { continue }
                let proof = withProofs ? try await reader.inclusionProof(of: record.index) : nil
                entries.append(AuditEntry(stored, proof: proof?.hashes.map(\.base64)))
                if entries.count == EntryPage.size { break }
            }
            if entries.count < EntryPage.size { next = max(next, end) }
        }
        return EntryPage(entries: entries, last: next < size ? next - 1 : nil)
    }
}

extension SubtreeReader {
    /// - Returns: `nil` when the tree has no such leaf.
    mutating func inclusionProof(of index: UInt64) async throws -> InclusionProof? {
        guard let plan = ProofPlan.inclusion(of: index, in: size) else { return nil }
        var hashes: [MerkleHash] = []
        for range in plan { hashes.append(try await hash(of: range)) }
        return InclusionProof(index: index, size: size, hashes: hashes)
    }
}

extension ConsentError {
    fileprivate static func noSuchRecord(_ index: UInt64, of size: UInt64) -> ConsentError {
        ConsentError(code: .noSuchRecord, message: "The log has \(size) records and nothing at \(index).")
    }
}
