import Authorization
import Foundation
import Retention
import Synchronization

/// A table of which one step can be made to fail, at a moment that no real disk fails at on demand.
final class FailingTable: KeptTable {
    struct Failure: Error {}
    enum Step { case beginErasing, remove }

    private let table: any KeptTable
    private let step = Mutex<Step?>(nil)

    init(_ table: any KeptTable) { self.table = table }

    var failing: Step? {
        get { step.withLock { $0 } }
        set { step.withLock { $0 = newValue } }
    }

    private func fail(at step: Step) throws {
        if failing == step { throw Failure() }
    }

    func beginErasing(
        for reason: ErasureReason, where isChosen: @escaping @Sendable (KeptEntry) -> Bool
    ) async throws -> Int {
        try fail(at: .beginErasing)
        return try await table.beginErasing(for: reason, where: isChosen)
    }

    func remove(_ identifiers: [String]) async throws {
        try fail(at: .remove)
        try await table.remove(identifiers)
    }

    func entries() async throws -> [KeptEntry] { try await table.entries() }
    func begin(_ item: KeptItem) async throws { try await table.begin(item) }
    func seal(_ item: KeptItem, key: Data) async throws -> Bool { try await table.seal(item, key: key) }
    func keep(_ identifier: String) async throws -> Bool { try await table.keep(identifier) }
    func key(of identifier: String) async throws -> Data? { try await table.key(of: identifier) }
    func forgetErased() async throws { try await table.forgetErased() }
    func lastSeen() async throws -> Moment? { try await table.lastSeen() }
    func note(_ moment: Moment, anchoring items: [KeptItem]) async throws {
        try await table.note(moment, anchoring: items)
    }
}
