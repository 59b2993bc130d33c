import Authorization
import Foundation
import Retention
import TestSupport
import Testing

@Suite("Kept items", .timeLimit(.minutes(1)))
struct ItemStoreTests {
    let bench: StoreBench

    init() throws { bench = try StoreBench() }

    private func expectNothing(_ store: ItemStore) async throws {
        #expect(try await store.items(ItemSelection()).isEmpty)
        #expect(bench.files.isEmpty)
    }

    @Test("an item is recorded before it counts as kept, and is read by its own user alone")
    func kept() async throws {
        let (store, _) = try bench.open()
        try await store.sweep()
        let item = try await bench.keep("good morning", in: store, for: .limited(30, .days))
        let record = try #require(bench.retained.first)
        #expect(record.item == item.identifier && record.session == "s" && record.kind == .transcript)
        #expect(record.bytes == 12 && record.until == item.date.addingTimeInterval(30 * 86_400))
        #expect(try await StoreBench.text(store.open(item.identifier, user: 1000)) == "good morning")
        let error = await #expect(throws: RetentionError.self) { try await store.open(item.identifier, user: 1001) }
        #expect(error?.code == .unknown)
        #expect(try await store.items(ItemSelection(user: 1001)).isEmpty)
        #expect(try bench.filesHolding(Data("good morning".utf8)).isEmpty)
        #expect(bench.files == [item.identifier])
        var status = stat()
        #expect(lstat(bench.state + "/kept/" + item.identifier, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("an item that the log cannot record is not kept, and nothing of it stays")
    func unrecorded() async throws {
        let (store, _) = try bench.open()
        bench.ledger.fail(after: 0)
        await #expect(throws: RecordingLedger.Failure.self) { try await bench.keep("lost", in: store) }
        bench.ledger.recover()
        try await store.sweep()
        try await expectNothing(store)
        #expect(bench.retained.isEmpty)
    }

    /// A service that ends while it writes; nothing of it is left but the files.
    private func interrupted() async throws -> String {
        let (store, storage) = try bench.open()
        let writer = try await store.begin(.recording, of: StoreBench.session(), for: .untilWithdrawn)
        try await writer.append(Data(count: 300_000))
        try storage.close()
        return writer.item.identifier
    }

    @Test("an item that was being written when the service was killed is erased at the next start, with a record")
    func killed() async throws {
        let identifier = try await interrupted()
        #expect(bench.files.count == 1)
        let (store, _) = try bench.open()
        try await store.sweep()
        try await expectNothing(store)
        #expect(bench.erased.map(\.items) == [[identifier]])
        #expect(bench.erased.first?.reason == .incomplete)
        #expect(bench.retained.isEmpty)
    }

    @Test("an item ends at its time while the service runs; from then on it is no longer listed")
    func ends() async throws {
        let (store, _) = try bench.open()
        let item = try await bench.keep("soon gone", in: store, for: .limited(1, .hours))
        try await bench.keep("stays", in: store, for: .limited(2, .hours))
        #expect(try await store.nextEnd() == 3_600_000)
        bench.pass(3_599_999)
        try await store.sweep()
        #expect(bench.files.count == 2)
        bench.pass(1)
        #expect(try await store.items(ItemSelection()).count == 1, "not told although not erased yet")
        await #expect(throws: RetentionError.self) { try await store.open(item.identifier, user: 1000) }
        try await store.sweep()
        #expect(bench.files.count == 1)
        #expect(bench.erased.map(\.items) == [[item.identifier]])
        #expect(bench.erased.first?.reason == .retentionEnded)
        #expect(try await store.nextEnd() == 3_600_000)
    }

    @Test("an item that is kept while a sweep runs is not taken for an expired one")
    func keptMeanwhile() async throws {
        let (store, _) = try bench.open()
        for round in 1...100 {
            async let sweep: Void = store.sweep()
            bench.pass(1)
            try await bench.keep("kept", in: store, for: .limited(1, .hours))
            try await sweep
            #expect(try await store.items(ItemSelection()).count == round)
        }
    }

    @Test("items kept under a permission are erased when it is withdrawn; items of other permissions stay")
    func withdrawn() async throws {
        let (store, _) = try bench.open()
        let gate = try await bench.gate(store)
        let both = try await bench.keep("dictated", in: store)
        let file = try await bench.keep("from a file", in: store, of: StoreBench.session("f", device: nil))
        let others = try await bench.keep("another's", in: store, of: StoreBench.session("o", user: 1001))
        let requester = Samples.requester()
        let key = requester.key(for: .microphone)
        try await gate.decide(
            .authorized, for: key, program: AllowedProgram(requester.caller.executable), by: requester.caller)
        try await gate.reset(key, by: requester.caller)
        // Not readable from the record on, whatever is left to do.
        let left = try await store.items(ItemSelection()).map(\.identifier)
        #expect(left == [file.identifier, others.identifier])
        try await store.sweep()
        #expect(bench.erased.map(\.items) == [[both.identifier]])
        #expect(bench.erased.first?.reason == .withdrawn)
        #expect(Set(bench.files) == [file.identifier, others.identifier])
        let order = bench.ledger.eventNames
        #expect(order.firstIndex(of: "withdrawn") ?? .max < order.firstIndex(of: "dataErased") ?? .min)
    }

    @Test("a withdrawal while an item is being written leaves nothing of it")
    func withdrawnMeanwhile() async throws {
        let (store, _) = try bench.open()
        let gate = try await bench.gate(store)
        let writer = try await store.begin(.recording, of: StoreBench.session(), for: .untilWithdrawn)
        try await writer.append(Data(count: 100_000))
        let requester = Samples.requester()
        try await gate.decide(.denied, for: requester.key(for: .speechRecognition), program: nil, by: requester.caller)
        #expect(await failure(RetentionError.self) { try await store.keep(writer) }?.code == .erased)
        try await store.sweep()
        try await expectNothing(store)
        #expect(bench.retained.isEmpty)
    }

    @Test("an erasure that cannot be recorded is recorded later; the data is gone at once")
    func recordedLater() async throws {
        let (store, _) = try bench.open()
        let item = try await bench.keep("gone", in: store)
        bench.ledger.fail(after: 0)
        await #expect(throws: RecordingLedger.Failure.self) {
            try await store.erase(ItemSelection(identifiers: [item.identifier]), for: .requested)
        }
        try await expectNothing(store)
        bench.ledger.recover()
        try await store.sweep()
        try await store.sweep()
        #expect(bench.erased.map(\.items) == [[item.identifier]])
        #expect(bench.erased.first?.reason == .requested)
    }

    @Test("a file that was changed, cut off or removed is damaged, and is erased like any other")
    func damaged() async throws {
        let (store, _) = try bench.open()
        for damage in 0..<3 {
            let item = try await bench.keep("some words", in: store)
            let path = bench.state + "/kept/" + item.identifier
            switch damage {
            case 0:
                var data = try #require(FileManager.default.contents(atPath: path))
                data[data.count - 20] ^= 1
                try data.write(to: URL(fileURLWithPath: path))
            case 1:
                try #require(FileManager.default.contents(atPath: path)).dropLast().write(
                    to: URL(fileURLWithPath: path))
            default: try FileManager.default.removeItem(atPath: path)
            }
            let error = await #expect(throws: RetentionError.self) { try await store.open(item.identifier, user: 1000) }
            #expect(error?.code == .damaged)
            #expect(try await store.erase(ItemSelection(identifiers: [item.identifier]), for: .requested) == 1)
        }
        try await expectNothing(store)
    }

    @Test("a file in the folder that no item names is removed at the start; a link is neither followed nor written")
    func strangers() async throws {
        let (store, _) = try bench.open()
        let secret = try bench.folder.write("mine", to: "secret")
        try FileManager.default.createSymbolicLink(atPath: bench.state + "/kept/link", withDestinationPath: secret)
        _ = FileManager.default.createFile(atPath: bench.state + "/kept/stranger", contents: Data("x".utf8))
        try await store.sweep()
        #expect(bench.files.isEmpty)
        #expect(FileManager.default.contents(atPath: secret) == Data("mine".utf8))
    }
}
