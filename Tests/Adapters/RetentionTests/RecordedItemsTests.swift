import Consent
import Foundation
import Storage
import TestSupport
import Testing

@testable import Retention

/// With the real log: its records are compared with the kept items.
@Suite("A start compares what is kept with the log", .timeLimit(.minutes(1)))
struct RecordedItemsTests {
    let bench: StoreBench

    init() throws { bench = try StoreBench() }

    private func erasures(_ log: ConsentLog) async throws -> [ConsentRecord] {
        try await log.records(matching: AuditFilter()).filter { $0.kind == .dataErased }
    }

    @Test("a withdrawal of which only the record was written takes along what was kept before it, and nothing else")
    func withdrawn() async throws {
        let storage = try SQLiteStorage(directory: bench.state)
        var log = try await ConsentLog.open(storage: storage)
        var store = try bench.store(storage, log: log)
        let gone = try await bench.keep("gone", in: store)
        let file = try await bench.keep("from a file", in: store, of: StoreBench.session("f", device: nil))
        let others = try await bench.keep("another's", in: store, of: StoreBench.session("o", user: 1001))
        let requester = Samples.requester()
        let key = requester.key(for: .microphone)
        try await log.record(.withdrawn(key, notice: nil, decision: nil, by: requester.caller), changing: .remove(key))
        let again = StoreBench.session("again")
        try await log.record(.sessionStarted(again), changing: nil)
        let later = try await bench.keep("allowed again", in: store, of: again)

        // The next service, as far as log and store can tell.
        log = try await ConsentLog.open(storage: storage)
        store = try bench.store(storage, log: log)
        try await store.sweep()
        #expect(
            try await store.items(ItemSelection()).map(\.identifier)
                == [file.identifier, others.identifier, later.identifier])
        #expect(Set(bench.files) == [file.identifier, others.identifier, later.identifier])
        let erasures = try await erasures(log)
        #expect(erasures.map { $0.fields["items"] } == [.array([.string(gone.identifier)])])
        #expect(erasures.first?.fields["reason"] == .string("withdrawn"))
    }

    @Test("audio that was heard before a withdrawal, and recorded as kept after it, is erased at the next start")
    func keptBehindWithdrawal() async throws {
        let storage = try SQLiteStorage(directory: bench.state)
        var log = try await ConsentLog.open(storage: storage)
        var store = try bench.store(storage, log: log)
        let sessions = [StoreBench.session("a"), StoreBench.session("f", device: nil)]
        for session in sessions { try await log.record(.sessionStarted(session), changing: nil) }
        let requester = Samples.requester()
        let key = requester.key(for: .microphone)
        try await log.record(.withdrawn(key, notice: nil, decision: nil, by: requester.caller), changing: .remove(key))
        // The service is killed between the record of keeping and the erasure that the withdrawal asked for.
        let gone = try await bench.keep("gone", in: store, of: sessions[0])
        let file = try await bench.keep("from a file", in: store, of: sessions[1])

        // The next service, as far as log and store can tell.
        log = try await ConsentLog.open(storage: storage)
        store = try bench.store(storage, log: log)
        try await store.sweep()
        #expect(try await store.items(ItemSelection()).map(\.identifier) == [file.identifier])
        #expect(bench.files == [file.identifier])
        #expect(try await erasures(log).map { $0.fields["items"] } == [.array([.string(gone.identifier)])])
    }

    @Test("an erasure that was recorded before the service was killed is not recorded again")
    func recordedOnce() async throws {
        let storage = try SQLiteStorage(directory: bench.state)
        var log = try await ConsentLog.open(storage: storage)
        var store = try bench.store(storage, log: log)
        let gone = try await bench.keep("gone", in: store)
        let left = try await bench.keep("stays", in: store)
        try await storage.fail(at: .removing)
        for _ in 0..<2 {
            await #expect(throws: StorageError.self) {
                try await store.erase(ItemSelection(identifiers: [gone.identifier]), for: .requested)
            }
        }
        #expect(try await erasures(log).count == 1, "nor by the service that recorded it")

        // The next service, as far as log and store can tell.
        try await storage.fail(at: nil)
        log = try await ConsentLog.open(storage: storage)
        store = try bench.store(storage, log: log)
        try await store.sweep()
        #expect(try await erasures(log).count == 1)
        #expect(try await storage.entries().map(\.item.identifier) == [left.identifier])
        // Items that are erased later are recorded as usual.
        try await store.erase(ItemSelection(identifiers: [left.identifier]), for: .requested)
        #expect(try await erasures(log).count == 2)
    }
}
