import Authorization
import Base
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Consent

struct ErasureTests {
    private let storage = MemoryStorage()

    private let caller = LedgerSamples.requester.caller
    /// The records of the sample's session.
    private let session = RightsScope(session: LedgerSamples.session.identifier)

    private func told() async throws -> ConsentLog {
        let log = try await ConsentLog.told(storage)
        try await log.beginSigning(with: MemoryCheckpoints())
        return log
    }

    private func caller(_ user: UInt32) -> Caller {
        Caller(process: caller.process, user: user, executable: caller.executable)
    }

    /// A log whose clock shows these seconds since 1970.
    private func log(at seconds: Double) async throws -> (ConsentLog, set: @Sendable (Double) -> Void) {
        let clock = Lock(seconds)
        let log = try await ConsentLog.open(storage: storage) {
            Moment(wallAlone: Date(timeIntervalSince1970: clock.seconds.withLock { $0 }))
        }
        return (log, { seconds in clock.seconds.withLock { $0 = seconds } })
    }

    private final class Lock: Sendable {
        let seconds: Mutex<Double>
        init(_ seconds: Double) { self.seconds = Mutex(seconds) }
    }

    private func erased() async -> [Int64] { await storage.stored.filter { $0.disclosed == nil }.map(\.index) }

    @Test("erasing keeps every root, is recorded, and its record names no client")
    func roots() async throws {
        let log = try await told()
        let before = await log.head
        let result = try await log.erase(session)
        #expect(result.erased == 2)
        #expect(result.record == before.size)
        #expect(try await log.root(at: before.size) == before.root)
        let report = try await log.verify()
        #expect(report.problem == nil && report.erasedRecords == 2)
        let record = try #require(try await log.records().last)
        #expect(record.kind == .dataErased)
        let text = JSONValue.object(record.fields).canonical
        for word in ["notes", "Notes", "session-1"] { #expect(!text.contains(word)) }
    }

    @Test("the records of a decision in force stay until the decision is withdrawn")
    func inForce() async throws {
        let log = try await told()
        let first = try await log.erase(RightsScope(client: LedgerSamples.identifier))
        #expect(first.kept[.decisionInForce, default: 0] > 0)
        #expect(try await log.verify().problem == nil)
        #expect(try await log.decisions().count == 2)

        for decision in try await log.decisions() { try await log.withdraw(decision.key) }
        let second = try await log.erase(RightsScope(client: LedgerSamples.identifier))
        #expect(second.kept.isEmpty)
        #expect(try await log.verify().problem == nil)
        #expect(try await log.records(matching: AuditFilter(client: LedgerSamples.identifier)).isEmpty)
    }

    @Test("mutes are read from their records: those in force stay, and an erased one mutes nobody")
    func mutes() async throws {
        let log = try await told()
        #expect(try await log.mutes() == Mutes())
        for user in [UInt32(7), 8] {
            try await log.record(.muted(.user(user), by: caller(user)))
            try await log.record(.muted(.everyone, by: caller(user)))
            try await log.record(.unmuted(.everyone, by: caller(0)))
        }
        try await log.record(.unmuted(.user(8), by: caller(8)))
        var expected = Mutes()
        expected[.user(7)] = Mute(.user(7), user: 7, program: "/usr/bin/notes")
        #expect(try await log.mutes() == expected)

        // The user whose mute is in force, and the one whose mutes have ended.
        let first = try await log.erase(RightsScope(user: 7))
        #expect(first.erased == 1 && first.kept == [.muteInForce: 1])
        let second = try await log.erase(RightsScope(user: 8))
        #expect(second.erased == 3 && second.kept.isEmpty)
        #expect(try await log.mutes() == expected)
        try await log.record(.unmuted(.user(7), by: caller(7)))
        #expect(try await log.mutes() == Mutes())
        #expect(try await log.erase(RightsScope(user: 7)).kept.isEmpty)
        #expect(try await log.mutes() == Mutes())
    }

    @Test("the end of a mute stays while the record of the mute does")
    func endOfMute() async throws {
        let (log, set) = try await log(at: 1_800_000_000)
        try await log.record(.muted(.user(caller.user), by: caller))
        set(1_800_000_060)
        try await log.record(.unmuted(.user(caller.user), by: caller))
        let end = Date(timeIntervalSince1970: 1_800_000_030)
        let result = try await log.erase(RightsScope(user: caller.user, since: end))
        #expect(result.erased == 0 && result.kept == [.endsEarlierDecision: 1])
        #expect(try await log.mutes() == Mutes())
        #expect(try await log.erase(RightsScope(user: caller.user)).erased == 2)
    }

    @Test("a mute whose record lost its fields mutes everyone, until an unmute that ends no other")
    func lostFields() async throws {
        let log = try await told()
        let index = try await log.record(.muted(.user(caller.user), by: caller))
        let stripped = await storage.stored.map {
            StoredRecord(
                index: $0.index, kind: $0.kind, leaf: $0.leaf, disclosed: $0.index == Int64(index) ? nil : $0.disclosed)
        }
        await storage.replace(stripped)
        #expect(try await log.mutes()[.everyone] == .unknown)
        try await log.record(.muted(.user(9), by: caller(9)))
        try await log.record(.unmuted(.user(9), by: caller(9)))
        #expect(try await log.mutes()[.everyone] == .unknown)
        try await log.record(.unmuted(.everyone, by: caller))
        #expect(try await log.mutes() == Mutes())
    }

    @Test("a user's mute that root ends is that user's in the record, with root as who decided")
    func endedByRoot() async throws {
        let log = try await told()
        try await log.record(.muted(.user(caller.user), by: caller))
        let index = try await log.record(.unmuted(.user(caller.user), by: caller(0)))
        #expect(try await log.mutes() == Mutes())
        let record = try #require(try await log.records().first { $0.index == index })
        #expect(record.fields["user"] == .integer(Int64(caller.user)) && record.fields["decidedByUser"] == .integer(0))
    }

    @Test("a running session keeps its records")
    func running() async throws {
        let log = try await told()
        let result = try await log.erase(session, running: [LedgerSamples.session.identifier])
        #expect(result.erased == 0 && result.kept == [.sessionRunning: 2])
        #expect(result.record == nil)
        #expect(await erased().isEmpty)
    }

    @Test("only older records of that person and that client are erased")
    func scope() async throws {
        let log = try await told()
        for scope in [
            RightsScope(before: Date(timeIntervalSince1970: 5)), RightsScope(user: 4),
            RightsScope(client: ClientIdentifier.unregistered(executable: "other")), RightsScope(session: "session-2"),
            RightsScope(user: 4, session: LedgerSamples.session.identifier),
        ] { #expect(try await log.erase(scope).erased == 0) }
        #expect(await erased().isEmpty)
    }

    @Test("records about the log itself are never erased")
    func logItself() async throws {
        let log = try await told()
        let result = try await log.erase(RightsScope(before: Date.distantFuture))
        #expect(result.kept[.logItself] == 2)
        let kinds = try await log.records().filter { !$0.isErased }.map(\.kind)
        #expect(kinds.contains("log.genesis") && kinds.contains("key.rotated") && kinds.contains("data.erased"))
        _ = try await log.origin()
        // A second time there is nothing left to erase.
        #expect(try await log.erase(RightsScope(before: Date.distantFuture)).erased == 0)
    }

    @Test("an erased record keeps its index, its kind, its time and a digest, as Documentation/Records.md says")
    func left() async throws {
        let log = try await told()
        #expect(try await log.erase(session).erased == 2)
        for record in await storage.stored where record.disclosed == nil {
            let leaf = try #require(JSONValue(canonical: record.leaf)?.object)
            #expect(Set(leaf.keys) == ["_sd", "index", "kind", "schema", "time"])
        }
        let page = try String(contentsOf: Checkout.root.appending(path: "Documentation/Records.md"), encoding: .utf8)
        let section = try #require(page.split(separator: "### What is still visible after an erasure").last)
        for kind in RecordKind.neverErased { #expect(section.contains("`\(kind.rawValue)`"), "\(kind)") }
    }

    @Test("if the clock was set back, the end of a decision stays as long as its beginning: no decision returns")
    func clockSetBack() async throws {
        let (log, set) = try await log(at: 10_000)
        try await log.beginSigning(with: MemoryCheckpoints())
        try await log.record(
            .decidedInSettings(LedgerSamples.key, .authorized, nil, notice: nil, by: LedgerSamples.requester.caller),
            changing: .store(LedgerSamples.decision))
        set(5_000)
        try await log.withdraw(LedgerSamples.key)
        let result = try await log.erase(RightsScope(before: Date(timeIntervalSince1970: 6_000)))
        #expect(result.kept[.endsEarlierDecision] == 1)
        #expect(try await log.verify().problem == nil)
        #expect(try await log.decisions().isEmpty)
        #expect(try await log.erase(RightsScope(client: LedgerSamples.identifier)).erased == 2)
        #expect(try await log.verify().problem == nil)
    }

    @Test("records after the named position stay")
    func upTo() async throws {
        let log = try await told()
        let size = await log.head.size
        try await log.start()
        let result = try await log.erase(session, upTo: size)
        #expect(result.erased == 2)
        #expect(await !erased().contains(Int64(size)))
    }

    @Test("that an export or a backup was made stays recorded, whatever is erased")
    func exports() async throws {
        let log = try await told()
        for format in ["bundle", "backup"] {
            _ = try await log.recordExport(
                of: RightsScope(user: 1000), format: format, sha256: String(repeating: "0", count: 64), size: 7,
                by: LedgerSamples.requester.caller)
        }
        for scope in [RightsScope(user: 1000), RightsScope(before: Date.distantFuture), RightsScope()] {
            _ = try await log.erase(scope)
        }
        let exports = try await log.records().filter { $0.kind == "export.made" }
        #expect(exports.compactMap { $0.fields["format"]?.string } == ["bundle", "backup"])
    }

    @Test("a rehearsal counts what would be erased, and erases nothing")
    func rehearsal() async throws {
        let log = try await told()
        let size = await log.head.size
        #expect(try await log.erase(session, rehearsing: true).erased == 2)
        #expect(await log.head.size == size)
        #expect(await erased().isEmpty)
    }

    @Test("a refused erasure erases nothing")
    func refused() async throws {
        let log = try await told()
        await storage.refuse(.init(leavesOutcomeUnknown: false))
        #expect(await code { try await log.erase(session) } != nil)
        await storage.refuse(nil)
        #expect(await erased().isEmpty)
        #expect(try await log.verify().isIntact)
    }

    @Test("indexes are written as ranges and read back; ranges that no log has are passed over")
    func ranges() {
        let json = ErasedRecords.json([0, 1, 2, 5, 7, 8])
        #expect(json.map(\.canonical) == ["[[0,2],[5,5],[7,8]]"])
        #expect(ErasedRecords.ranges(json[0], before: 9) == [0...2, 5...5, 7...8])
        #expect(ErasedRecords.json(stride(from: 0, to: 40_000, by: 2)).count == 2)
        let hostile = JSONValue(canonical: Data("[[3,1],[-1,4],[1],[0,9223372036854775807],7]".utf8))
        #expect(ErasedRecords.ranges(hostile, before: .max).isEmpty)
    }
}
