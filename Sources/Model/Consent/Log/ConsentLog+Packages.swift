import Authorization
import Foundation

/// Which disclosures leave the machine with the log's entries.
///
/// What the log itself needs and names no person always does: the log's name, its keys, and which fields were erased, so
/// that a receiver erases them too.
public enum DisclosurePolicy: Sendable, Hashable {
    /// No others.
    case proofs
    /// Those of all records from this index on. Earlier ones were made when nothing, or something else, was declared to the
    /// users.
    case records(from: UInt64)

    func admits(_ record: ConsentRecord) -> Bool {
        switch record.kind {
        case .genesis, .keyRotated: return true
        // Of kept items, it names the client and the user.
        case .dataErased where record.json(of: .erasedRanges) != nil: return true
        default: if case .records(let first) = self { return record.index >= first } else { return false }
        }
    }
}

/// Consecutive packages of an upload, each read from the storage when it is asked for.
///
/// Its errors: `ConsentError` with `corrupt` at a record that cannot be read; the storage's.
public struct LogPackages: AsyncSequence, Sendable {
    public typealias Element = EntryPackage

    fileprivate let log: ConsentLog
    fileprivate let head: UploadHead
    fileprivate let policy: DisclosurePolicy

    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    public struct Iterator: AsyncIteratorProtocol {
        private let packages: LogPackages
        private var start: UInt64
        private var turns: ReaderTurns
        private var reader: SubtreeReader

        fileprivate init(_ packages: LogPackages) {
            self.packages = packages
            start = packages.head.range.lowerBound
            turns = ReaderTurns(log: packages.log)
            reader = SubtreeReader(storage: packages.log.storage, size: packages.head.range.upperBound)
        }

        public mutating func next() async throws -> EntryPackage? {
            let head = packages.head
            guard start < head.range.upperBound else { return nil }
            let range = head.package(at: start)
            var entries: [Data] = []
            var disclosures: [Data?] = []
            for try await (stored, record) in packages.log.cursor(in: range, pageSize: range.count) {
                try await turns.next()
                entries.append(stored.leaf)
                disclosures.append(packages.policy.admits(record) ? stored.disclosed : nil)
            }
            guard let subtree = EntryPackage.subtree(of: range),
                let plan = ProofPlan.subtree(subtree, in: head.range.upperBound)
            else { return nil }
            var hashes: [MerkleHash] = []
            for part in plan { hashes.append(try await reader.hash(of: part)) }
            guard entries.count == range.count,
                let proof = SubtreeProof(of: subtree, in: head.range.upperBound, hashes: hashes),
                let package = EntryPackage(
                    from: start, entries: entries, disclosures: Self.fitting(disclosures), proof: proof)
            else {
                throw ConsentError.corrupt("records \(range.lowerBound) to \(range.upperBound - 1) are not all there")
            }
            start = range.upperBound
            return package
        }

        /// Without the largest that a package has no room for: a log whose records are all of a megabyte is still sent.
        private static func fitting(_ disclosures: [Data?]) -> [Data?] {
            var rest = EntryPackage.maximumDisclosed
            var fitting = disclosures
            for place in disclosures.indices.sorted(by: { size(disclosures[$0]) < size(disclosures[$1]) }) {
                rest -= size(disclosures[place])
                if rest < 0 { fitting[place] = nil }
            }
            return fitting
        }

        private static func size(_ disclosure: Data?) -> Int { disclosure?.count ?? 0 }
    }
}

extension ConsentLog {
    /// The packages that an upload has, with the disclosures that the policy admits.
    ///
    /// - Parameter head: up to a size that the log has.
    /// - Throws: `ConsentError` with `noSuchRecord`.
    public func packages(of head: UploadHead, disclosing policy: DisclosurePolicy) throws -> LogPackages {
        guard head.range.upperBound <= tree.size else {
            throw ConsentError.noSuchRecord(head.range.upperBound, of: tree.size)
        }
        return LogPackages(log: self, head: head, policy: policy)
    }

    /// The newest checkpoint with the proof that it continues a log of this size: a request to a witness.
    ///
    /// - Parameter rotation: instead the first later one that both a key and its successor signed.
    /// - Throws: `ConsentError` with `noSuchRecord`, `notSigning`.
    public func witnessRequest(from size: UInt64, rotation: Bool = false) async throws -> WitnessRequest {
        let kept =
            try await rotation
            ? keptCheckpoints().first { note in
                Checkpoint(text: note.text).map { $0.size > size } == true && note.signers(among: verifiers).count > 1
            } : signedCheckpoint()
        guard let note = kept, let checkpoint = Checkpoint(text: note.text), size <= checkpoint.size else {
            throw ConsentError.noSuchRecord(size, of: tree.size)
        }
        return WitnessRequest(try await consistencyProof(from: size, to: checkpoint.size), in: note)
    }

    /// The recipient of the records that the log names last, where they are sent, and since which record.
    public nonisolated func recordedCollector() async throws -> (
        collector: RecordCollector, url: String?, since: UInt64
    )? {
        guard let record = try await lastRecord(of: .collectorChanged), let collector = record[.collector] else {
            return nil
        }
        return (collector, record[.url], record.index)
    }
}
