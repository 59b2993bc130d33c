import Consent
import Foundation

/// Keeps a log in memory, so that a test can hold an append up, let it fail, or change what is stored.
actor MemoryStorage: ConsentStorage {
    struct Refusal: StorageFailure {
        let leavesOutcomeUnknown: Bool
    }

    private(set) var stored: [StoredRecord] = []
    private var tree: StoredTree?
    private var table: [StoredDecision.Key: StoredDecision] = [:]
    private var refusal: Refusal?
    private(set) var calls = 0
    private var running = 0
    private(set) var mostAtOnce = 0

    func refuse(_ refusal: Refusal?) { self.refusal = refusal }
    func replace(_ records: [StoredRecord]) { stored = records }
    func replace(_ tree: StoredTree?) { self.tree = tree }
    func replace(_ decisions: [StoredDecision]) {
        table = Dictionary(uniqueKeysWithValues: decisions.map { ($0.key, $0) })
    }

    func append(_ record: StoredRecord, tree: StoredTree, change: StoredChange?) async throws {
        calls += 1
        running += 1
        mostAtOnce = max(mostAtOnce, running)
        defer { running -= 1 }
        // Gives a second append every chance to come in between.
        for _ in 0..<10 { await Task.yield() }
        if let refusal { throw refusal }
        stored.append(record)
        self.tree = tree
        switch change {
        case .store(let decision): table[decision.key] = decision
        case .remove(let key): table[key] = nil
        case nil: break
        }
    }

    func summary() -> StoredSummary {
        let indexes = stored.map(\.index)
        guard let least = indexes.min(), let greatest = indexes.max() else {
            return StoredSummary(tree: tree, indexes: nil)
        }
        return StoredSummary(tree: tree, indexes: least...greatest)
    }

    func page(after index: Int64?, limit: Int) -> StoredPage {
        let records = Array(stored.filter { $0.index > index ?? .min }.prefix(limit))
        guard records.count < limit else { return StoredPage(records: records, end: nil) }
        let end = StoredEnd(
            tree: tree, decisions: Array(table.values), disclosureCount: stored.reduce(0) { $0 + $1.disclosures.count })
        return StoredPage(records: records, end: end)
    }

    func records(before index: Int64?, limit: Int) -> [StoredRecord] {
        stored.filter { $0.index < index ?? .max }.suffix(limit)
    }

    func decisions() -> [StoredDecision] { Array(table.values) }
}
