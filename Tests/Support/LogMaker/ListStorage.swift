import Consent
import Foundation

/// A log in memory that is written once, from its first record to its last.
actor ListStorage: ConsentStorage {
    private(set) var all: [StoredRecord] = []
    private var tree: StoredTree?
    private var levels: [Int: [TreeNode]] = [:]
    private var kept: [StoredCheckpoint] = []
    private var table: [StoredDecision.Key: StoredDecision] = [:]

    var count: Int { all.count }

    func append(_ batch: StoredBatch) {
        all += batch.records
        for node in batch.nodes { levels[node.level, default: []].append(node) }
        tree = batch.tree
        for change in batch.changes { table[change.key] = change.decision }
        for index in batch.erased {
            let record = all[Int(index)]
            all[Int(index)] = StoredRecord(index: index, kind: record.kind, leaf: record.leaf, disclosed: nil)
        }
    }

    func summary() -> StoredSummary {
        StoredSummary(tree: tree, indexes: all.isEmpty ? nil : 0...Int64(all.count - 1))
    }

    func records(
        of kinds: [String], in range: Range<Int64>, _ direction: LogDirection, limit: Int
    ) -> [StoredRecord] {
        let part = all[Int(range.lowerBound)..<Int(min(range.upperBound, Int64(all.count)))]
        let found = kinds.isEmpty ? Array(part) : part.filter { kinds.contains($0.kind) }
        return Array((direction == .forward ? found : found.reversed()).prefix(limit))
    }

    func nodes(level: Int, in positions: Range<Int64>) -> [TreeNode] {
        (levels[level] ?? []).filter { positions.contains(Int64($0.position)) }
    }

    func scan<Value: Sendable>(
        _ range: Range<Int64>, into value: Value, _ body: @escaping @Sendable (inout Value, RecordBytes) -> Bool
    ) -> (Value, StoredEnd?) { (value, nil) }

    func keep(_ checkpoint: StoredCheckpoint) { kept.append(checkpoint) }

    func checkpoints() -> [StoredCheckpoint] { kept }

    func secret(_ name: String, size: Int) -> Data { Data((0..<size).map { _ in UInt8.random(in: 0...255) }) }

    func decisions() -> [StoredDecision] { Array(table.values) }
}

/// Remembers every key that signed.
actor KeyRing: CheckpointStore {
    private var stored: LogKeys?
    private var last: Data?
    private var secrets: [NoteVerifier: String] = [:]

    func keys(origin: String) -> StoredKeys? { stored.map { StoredKeys($0) } }

    func replace(_ keys: LogKeys) {
        stored = keys
        for signer in [keys.signer, keys.next].compactMap({ $0 }) { secrets[signer.verifier] = signer.secretText }
    }

    func lastCheckpoint() -> Data? { last }

    func replace(_ checkpoint: SignedNote) { last = checkpoint.data }

    /// The keys that the log's records name, with the index of the record that names each.
    func signers(in storage: ListStorage) async -> [FleetLog.Head.Key] {
        await storage.all.filter { $0.kind == "key.rotated" }.compactMap { record in
            guard let text = record.disclosed, let fields = Disclosure(text: text)?.fields,
                let vkey = fields["key"]?.string, let key = NoteVerifier(text: vkey), let secret = secrets[key]
            else { return nil }
            return FleetLog.Head.Key(vkey: vkey, secret: secret, since: UInt64(record.index))
        }
    }
}
