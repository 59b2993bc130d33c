import Base
import Consent
import Foundation
import Synchronization

/// Keeps a log in memory, so that a test can hold an append up, let it fail, or change what is stored.
actor MemoryStorage: ConsentStorage {
    struct Refusal: StorageFailure {
        let leavesOutcomeUnknown: Bool
    }

    private(set) var stored: [StoredRecord] = []
    private var tree: StoredTree?
    private var nodes: [TreeNode] = []
    private var kept: [Int64: StoredCheckpoint] = [:]
    private var table: [StoredDecision.Key: StoredDecision] = [:]
    private var refusal: Refusal?
    /// Records that it has room for.
    private var room = Int.max
    /// The records of each append, by how many there were.
    private(set) var batches: [Int] = []
    private(set) var calls = 0
    private var running = 0
    private var isHeld = false
    private var scans = 0
    private(set) var mostScansAtOnce = 0
    private var neededScans = 0
    private(set) var mostAtOnce = 0

    /// Another storage with the same content.
    func copy() async -> MemoryStorage {
        let copy = MemoryStorage()
        await copy.fill(stored, nodes, tree, table)
        return copy
    }

    private func fill(
        _ records: [StoredRecord], _ nodes: [TreeNode], _ tree: StoredTree?,
        _ table: [StoredDecision.Key: StoredDecision]
    ) { (self.stored, self.nodes, self.tree, self.table) = (records, nodes, tree, table) }

    /// Appends wait while it is held.
    func hold(_ isHeld: Bool) { self.isHeld = isHeld }

    /// A scan waits until this many were running at once.
    func needScansAtOnce(_ count: Int) { neededScans = count }

    func refuse(_ refusal: Refusal?) { self.refusal = refusal }

    /// An append that would make it hold more than this many records fails.
    func limit(to room: Int) { self.room = room }

    func replace(_ records: [StoredRecord]) { stored = records }
    func replace(_ tree: StoredTree?) { self.tree = tree }
    func replace(_ decisions: [StoredDecision]) {
        table = Dictionary(uniqueKeysWithValues: decisions.map { ($0.key, $0) })
    }

    func replace(_ nodes: [TreeNode]) { self.nodes = nodes }

    func append(_ batch: StoredBatch) async throws {
        calls += 1
        running += 1
        mostAtOnce = max(mostAtOnce, running)
        defer { running -= 1 }
        // Gives a second append every chance to come in between.
        for _ in 0..<10 { await Task.yield() }
        while isHeld { await Task.yield() }
        if let refusal { throw refusal }
        guard stored.count + batch.records.count <= room else { throw Refusal(leavesOutcomeUnknown: false) }
        batches.append(batch.records.count)
        stored += batch.records
        nodes += batch.nodes
        tree = batch.tree
        for change in batch.changes { table[change.key] = change.decision }
        for index in batch.erased {
            stored = stored.map {
                $0.index == index
                    ? StoredRecord(index: index, kind: $0.kind, leaf: $0.leaf, disclosed: nil) : $0
            }
        }
    }

    func summary() -> StoredSummary {
        let indexes = stored.map(\.index)
        guard let least = indexes.min(), let greatest = indexes.max() else {
            return StoredSummary(tree: tree, indexes: nil)
        }
        return StoredSummary(tree: tree, indexes: least...greatest)
    }

    func scan<Value: Sendable>(
        _ range: Range<Int64>, into value: Value, _ body: @escaping @Sendable (inout Value, RecordBytes) -> Bool
    ) async -> (Value, StoredEnd?) {
        scans += 1
        mostScansAtOnce = max(mostScansAtOnce, scans)
        // Gives another scan every chance to begin.
        for _ in 0..<100 { await Task.yield() }
        while mostScansAtOnce < neededScans { await Task.yield() }
        scans -= 1
        var value = value
        for record in stored where range.contains(record.index) {
            guard record.withBytes({ body(&value, $0) }) else { break }
        }
        return (value, range.upperBound == .max ? end : nil)
    }

    var end: StoredEnd {
        StoredEnd(
            tree: tree, decisions: Array(table.values),
            nodes: nodes.sorted { ($0.level, $0.position) < ($1.level, $1.position) })
    }

    func records(of kinds: [String], in range: Range<Int64>, _ direction: LogDirection, limit: Int) -> [StoredRecord] {
        let found = stored.filter { range.contains($0.index) && (kinds.isEmpty || kinds.contains($0.kind)) }
        return Array((direction == .forward ? found : found.reversed()).prefix(limit))
    }

    func nodes(level: Int, in positions: Range<Int64>) -> [TreeNode] {
        nodes.filter { $0.level == level && positions.contains(Int64($0.position)) }
    }

    func keep(_ checkpoint: StoredCheckpoint) { kept[checkpoint.size] = checkpoint }

    func checkpoints() -> [StoredCheckpoint] { kept.values.sorted { $0.size < $1.size } }

    func secret(_ name: String, size: Int) -> Data { Data(name.utf8) + Data(count: size - name.utf8.count) }

    func decisions() -> [StoredDecision] { Array(table.values) }
}

extension StoredRecord {
    func withBytes<Result>(_ body: (RecordBytes) -> Result) -> Result {
        Data(kind.utf8).withUnsafeBytes { kind in
            leaf.withUnsafeBytes { leaf in
                guard let disclosed else {
                    return body(RecordBytes(index: index, kind: kind, leaf: leaf, disclosed: nil))
                }
                return disclosed.withUnsafeBytes {
                    body(RecordBytes(index: index, kind: kind, leaf: leaf, disclosed: $0))
                }
            }
        }
    }
}

/// Keeps keys and the last checkpoint in memory, so that a test can remove them or put others in their place.
actor MemoryCheckpoints: CheckpointStore {
    private(set) var stored: StoredKeys?
    private(set) var last: Data?
    /// Each that was written.
    private(set) var signed: [SignedNote] = []
    private var faults: [KeyFault] = []

    /// What a replacement of the keys does: nothing fails, or it fails before or after they are stored.
    enum KeyFault { case none, before, after }

    init(_ stored: StoredKeys? = nil, last: Data? = nil) {
        self.stored = stored
        self.last = last
    }

    var keys: LogKeys? { stored?.keys }

    func keys(origin: String) -> StoredKeys? { stored }

    func replace(_ keys: LogKeys) throws {
        let fault = faults.isEmpty ? .none : faults.removeFirst()
        if fault != .before { stored = StoredKeys(keys) }
        if fault != .none { throw POSIXError(.ENOSPC) }
    }

    /// - Parameter faults: of the next replacements; those after them succeed.
    func fail(_ faults: [KeyFault]) { self.faults = faults }

    func lastCheckpoint() -> Data? { last }

    func replace(_ checkpoint: SignedNote) {
        last = checkpoint.data
        signed.append(checkpoint)
    }

    func putBack(_ checkpoint: SignedNote?) { last = checkpoint?.data }

    func putBack(_ keys: StoredKeys?) { stored = keys }
}

/// Each reading is a second after the one before; the first is 1970.
final class CountingClock: Sendable {
    private let readings = Atomic(0)

    @Sendable func next() -> Moment {
        Moment(wallAlone: Date(timeIntervalSince1970: Double(readings.add(1, ordering: .relaxed).oldValue)))
    }
}
