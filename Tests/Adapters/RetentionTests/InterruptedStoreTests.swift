import Authorization
import Consent
import Foundation
import GRDB
import Storage
import TestSupport
import Testing

@testable import Retention

/// Failures and ends of the service between two steps.
@Suite("Kept items after interruptions", .timeLimit(.minutes(1)))
struct InterruptedStoreTests {
    let bench: StoreBench
    private let requester = Samples.requester()

    init() throws { bench = try StoreBench() }

    /// Another program that reads the consent log, so that its write-ahead log cannot be emptied.
    private func reader() throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let queue = try DatabaseQueue(path: bench.state + "/consent.sqlite", configuration: configuration)
        try queue.inDatabase { database in
            try database.execute(sql: "BEGIN")
            _ = try Row.fetchOne(database, sql: "SELECT count(*) FROM kept_keys")
        }
        return queue
    }

    @Test("nothing counts as erased while its key may be in the write-ahead log, however often it is tried")
    func writeAheadLog() async throws {
        let (store, storage) = try bench.open()
        let item = try await bench.keep("a secret", in: store)
        let key = try #require(try await storage.key(of: item.identifier))
        let reader = try reader()
        await #expect(throws: StorageError.self) {
            try await store.erase(ItemSelection(identifiers: [item.identifier]), for: .requested)
        }
        await #expect(throws: StorageError.self) { try await store.sweep() }
        #expect(try !bench.filesHolding(key).isEmpty, "a test that cannot find the key finds no trace of it either")
        #expect(bench.erased.isEmpty)
        #expect(bench.files == [item.identifier])
        try reader.close()
        try await store.sweep()
        #expect(try bench.filesHolding(key).isEmpty)
        #expect(bench.erased.map(\.items) == [[item.identifier]])
        #expect(bench.files.isEmpty)
    }

    @Test("expired items are erased once the log can be written again, also if the start could not erase them")
    func recoversLater() async throws {
        let item = try await keptByAnEarlierService(for: .limited(1, .hours))
        let (store, _) = try bench.open()
        bench.pass(3_600_000)
        bench.ledger.fail(after: 0)
        await #expect(throws: RecordingLedger.Failure.self) { try await store.sweep() }
        _ = FileManager.default.createFile(atPath: bench.state + "/kept/stranger", contents: Data("x".utf8))
        bench.ledger.recover()
        try await store.sweep()
        #expect(bench.erased.map(\.items) == [[item.identifier]])
        #expect(bench.files.isEmpty, "all of the start is made up for")
    }

    private func keptByAnEarlierService(for time: KeepingTime = .untilWithdrawn) async throws -> KeptItem {
        let (store, storage) = try bench.open()
        let item = try await bench.keep("kept", in: store, for: time)
        try storage.close()
        return item
    }

    @Test("a withdrawal that could not be stored wakes the eraser, and is retried")
    func withdrawnLater() async throws {
        let (store, storage) = try bench.open()
        let gate = try await bench.gate(store)
        let item = try await bench.keep("heard", in: store)
        var changes = store.changes.makeAsyncIterator()
        _ = await changes.next()
        try await storage.fail(at: .erasing)
        for resource in [Resource.microphone, .speechRecognition] {
            try await gate.decide(.denied, for: requester.key(for: resource), program: nil, by: requester.caller)
        }
        _ = await changes.next()
        await #expect(throws: StorageError.self) { try await store.sweep() }
        #expect(bench.erased.isEmpty)
        #expect(try await store.items(ItemSelection()).isEmpty, "withdrawn items are not shown before they are erased")
        // An item that was begun meanwhile is not kept while it is not known whether it may be.
        await #expect(throws: StorageError.self) { try await bench.keep("later", in: store) }
        #expect(bench.retained.count == 1)
        try await storage.fail(at: nil)
        try await store.sweep()
        #expect(bench.erased.flatMap(\.items).contains(item.identifier))
        #expect(try await store.items(ItemSelection()).isEmpty)
        #expect(bench.files.isEmpty)
    }

    @Test("an erasure while the keeping is being recorded is recorded behind it")
    func erasedWhileRecorded() async throws {
        let (store, storage) = try bench.open()
        let (steps, step) = AsyncStream<Task<Int, any Error>>.makeStream()
        bench.ledger.onWrite { event in
            guard case .dataRetained(_, _, _, let item, _, _, _, _) = event else { return }
            step.yield(Task { try await store.erase(ItemSelection(identifiers: [item]), for: .requested) })
            // The key is gone from here on; the record of it has to wait for this one.
            while (try? await storage.entries().contains { $0.state == .erasing }) == false { await Task.yield() }
        }
        #expect(await failure(RetentionError.self) { try await bench.keep("gone", in: store) }?.code == .erased)
        for await erasing in steps {
            #expect(try await erasing.value == 1)
            break
        }
        #expect(bench.ledger.eventNames == ["dataRetained", "dataErased"])
        #expect(bench.files.isEmpty)
    }
}
