import Authorization
import Consent
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Storage

/// A service that was killed leaves records in the journal alone.
struct JournalTests {
    private let directory = TemporaryDirectory()

    /// A log that was killed: only its first record is in the database, the others are in the journal.
    private func killed(
        _ name: String = "killed", after steps: Int = .max
    ) async throws -> (path: String, head: TreeHead, decisions: [Decision]) {
        let state = directory.path + "/" + name + ".running"
        let storage = try SQLiteStorage(directory: state, journalHalf: 16_384)
        let log = try await ConsentLog.open(storage: storage)
        try await log.beginSigning(with: CheckpointFiles(directory: state))
        for step in LedgerSamples.story.prefix(steps) { try await log.record(step.event, changing: step.change) }
        _ = try await log.signedCheckpoint()
        let path = directory.path + "/" + name
        try FileManager.default.copyItem(atPath: state, toPath: path)
        let (head, decisions) = (await log.head, try await log.decisions())
        try storage.close()
        return (path, head, decisions)
    }

    /// Does it with the log as the service opens it, and closes it.
    private func go(
        on state: String, acceptingRestored: Bool = false, _ body: (ConsentLog) async throws -> Void = { _ in }
    ) async throws {
        let storage = try await SQLiteStorage.reopened(state)
        let log = try await ConsentLog.open(storage: storage)
        try await log.beginSigning(
            with: CheckpointFiles(directory: state), allowing: acceptingRestored ? .acceptRestoredLog : [])
        try await body(log)
        try storage.close()
    }

    private func bytes(_ state: String, _ name: String = "consent.journal") throws -> Data {
        try Data(contentsOf: URL(filePath: state + "/" + name))
    }

    @Test("records that only the journal has are read, and nothing is changed before the log is accepted")
    func replay() async throws {
        let (state, head, decisions) = try await killed()
        let names = ["consent.sqlite", "consent.sqlite-wal", "consent.journal"]
        let before = try names.map { try bytes(state, $0) }
        let storage = try SQLiteStorage(directory: state)
        let log = try await ConsentLog.open(storage: storage)
        #expect(await log.head == head)
        #expect(try await log.verify().isIntact)
        #expect(try await log.decisions() == decisions)
        #expect(!decisions.isEmpty)
        let after = try names.map { try bytes(state, $0) }
        #expect(after == before)

        try await log.beginSigning(with: CheckpointFiles(directory: state))
        #expect(try await log.verify().isIntact)
        #expect(await log.head == head)
        // In the database, and overwritten in the journal.
        let count = try await storage.queue.read { try UInt64.fetchOne($0, sql: "SELECT count(*) FROM entries") }
        #expect(count == head.size)
        let journal = try bytes(state)
        #expect(journal.filter { $0 != 0 }.count <= JournalFrame.leastSize)
        try storage.close()
    }

    @Test("records that no log was asked for after a kill are there after the next kill, too")
    func killedTwice() async throws {
        let (state, head, _) = try await killed()
        let storage = try SQLiteStorage(directory: state)
        let log = try await ConsentLog.open(storage: storage)
        try await log.record(.muted(by: LedgerSamples.requester.caller), changing: nil)
        let copy = directory.path + "/again"
        try FileManager.default.copyItem(atPath: state, toPath: copy)
        try await go(on: copy) { again async throws in
            #expect(await again.head.size == head.size + 1)
            #expect(try await again.isMuted())
            #expect(try await again.verify().isIntact)
        }
    }

    @Test(
        "a journal of which any byte was changed, or that was cut anywhere, gives nothing but the records before that")
    func everyByte() async throws {
        let (state, _, _) = try await killed(after: 1)
        let storage = try SQLiteStorage(directory: state)
        let tree = try await storage.queue.read(SQLiteStorage.tree)
        let stored = try await storage.queue.read {
            try Data.fetchOne($0, sql: "SELECT value FROM secrets WHERE name = 'journal'")
        }
        let bytes = try #require(stored)
        let position = try #require(JournalPosition(bytes: bytes))
        let whole = try self.bytes(state)
        let path = directory.path + "/consent.changed"
        func journal(_ data: Data) throws -> Journal {
            try data.write(to: URL(filePath: path))
            return try Journal(path: path, at: position, after: tree)
        }
        let unchanged = try journal(whole)
        let (all, end) = (unchanged.waiting.flatMap(\.batch.records), unchanged.end.offset)
        #expect(all.count == 2)
        func requireBeginning(_ data: Data, _ note: String) throws {
            let found = try journal(data).waiting.flatMap(\.batch.records)
            guard found.count < all.count, found == Array(all.prefix(found.count)) else {
                Issue.record("taken though changed: \(note)")
                return
            }
        }
        // Each byte of the first frame; behind it records are read again each time, which takes longer.
        let first = unchanged.waiting[0].end.offset
        for place in Array(position.offset - JournalFrame.sealSize..<first) + stride(from: first, to: end, by: 13) {
            var changed = whole
            changed[place] ^= 0x20
            if place < position.offset {
                #expect(throws: StorageError.self, "\(place)") { _ = try journal(changed) }
            } else {
                try requireBeginning(changed, "\(place)")
            }
        }
        for length in stride(from: position.offset, to: end, by: 29) {
            try requireBeginning(whole.prefix(length), "cut at \(length)")
        }
    }

    @Test(
        "an earlier journal, another log's and none are noticed, left as they are, and given up only if that is accepted"
    )
    func anotherJournal() async throws {
        let (state, _, _) = try await killed()
        let (other, _, _) = try await killed("other")
        let first = try bytes(state)
        try await go(on: state) {
            try await $0.record(.muted(by: LedgerSamples.requester.caller), changing: nil)
        }
        for (number, journal) in [first, try bytes(other), Data(count: first.count), nil].enumerated() {
            let copy = directory.path + "/with\(number)"
            try FileManager.default.copyItem(atPath: state, toPath: copy)
            unlink(copy + "/consent.journal")
            try journal?.write(to: URL(filePath: copy + "/consent.journal"))
            let database = try bytes(copy, "consent.sqlite")
            let error = await #expect(throws: ConsentError.self) { try await go(on: copy) }
            #expect(error?.code == .logLost)
            #expect(try bytes(copy, "consent.sqlite") == database)
            let left = try? bytes(copy)
            #expect(left == journal)
            try await go(on: copy, acceptingRestored: true) { log async throws in
                #expect(try await log.verify().isIntact)
                let kinds = try await log.records().suffix(2).map(\.kind)
                #expect(kinds == ["recovery", "key.rotated"])
            }
            try await go(on: copy)
        }
    }

    @Test("a journal that was cut off behind a signed record is missed by the checkpoint")
    func cutOff() async throws {
        let (state, _, _) = try await killed()
        let file = FileHandle(forUpdatingAtPath: state + "/consent.journal")
        let end = try #require(try bytes(state).lastIndex { $0 != 0 })
        try file?.truncate(atOffset: UInt64(end))
        let error = await #expect(throws: ConsentError.self) { try await go(on: state) }
        #expect(error?.code == .rolledBack)
    }

    @Test("more records than the journal has room for, one too large for it, and erasures among them are all there")
    func rounds() async throws {
        let storage = try SQLiteStorage(directory: directory.state, journalHalf: 8192)
        let log = try await ConsentLog.open(storage: storage)
        for round in 0..<20 {
            for turn in 0..<round {
                try await log.record(
                    .recognizerFailed(
                        session: "\(round)", client: .unregistered(executable: "a"),
                        reason: String(repeating: "r", count: turn == 7 ? 20_000 : 100 * turn)), changing: nil)
            }
            if round % 5 == 4 { #expect(try await log.erase(RightsScope(session: "\(round)")).erased == round) }
            let copy = directory.path + "/copy\(round)"
            try FileManager.default.copyItem(atPath: directory.state, toPath: copy)
            let killed = try await ConsentLog.open(storage: try SQLiteStorage(directory: copy))
            #expect(await killed.head == log.head)
            #expect(try await killed.verify().isIntact)
            try FileManager.default.removeItem(atPath: copy)
        }
        try storage.close()
    }

    @Test("a journal that is removed while the service runs ends all recording")
    func removed() async throws {
        let storage = try SQLiteStorage(directory: directory.state)
        let log = try await ConsentLog.open(storage: storage)
        unlink(directory.state + "/consent.journal")
        let error = await #expect(throws: ConsentError.self) {
            try await log.record(.muted(by: LedgerSamples.requester.caller), changing: nil)
        }
        #expect((error?.underlying as? StorageError)?.code == .cannotOpen)
    }

    @Test("a loss that was accepted is asked about again until it is recorded, and is recorded once")
    func lossRecorded() async throws {
        let (state, _, _) = try await killed()
        unlink(state + "/consent.journal")
        let storage = try SQLiteStorage(directory: state)
        #expect(try await storage.hasLostRecords())
        try await storage.settle()
        #expect(try await storage.hasLostRecords())
        let copy = directory.path + "/again"
        try FileManager.default.copyItem(atPath: state, toPath: copy)
        let error = await #expect(throws: ConsentError.self) { try await go(on: copy) }
        #expect(error?.code == .rolledBack)
        try await requireOneRecovery(in: copy, acceptingRestored: true)
        try await requireOneRecovery(in: copy)
    }

    private func requireOneRecovery(in state: String, acceptingRestored: Bool = false) async throws {
        try await go(on: state, acceptingRestored: acceptingRestored) { log async throws in
            let recoveries = try await log.records().filter { $0.kind == "recovery" }
            #expect(recoveries.count == 1)
            #expect(recoveries.first?.fields["recordsLost"] == .boolean(true))
            #expect(try await log.verify().isIntact)
        }
    }

    @Test("without a journal, if none can be made, records go into the database; the next start makes one")
    func noJournal() async throws {
        let place = directory.state + "/consent.journal"
        let storage = try SQLiteStorage(directory: directory.state)
        mkdir(place, 0o700)
        let log = try await ConsentLog.open(storage: storage)
        try await log.record(.muted(by: LedgerSamples.requester.caller), changing: nil)
        #expect(try await log.verify().records == 2)
        try storage.close()
        rmdir(place)
        try await go(on: directory.state) { log async throws in #expect(try await log.isMuted()) }
        #expect(FileManager.default.fileExists(atPath: place))
    }

    @Test("a lost journal in place of which none can be made is given up, too, and that is recorded")
    func noOtherJournal() async throws {
        let (state, _, _) = try await killed()
        let place = state + "/consent.journal"
        unlink(place)
        let storage = try SQLiteStorage(directory: state)
        mkdir(place, 0o700)
        try await storage.settle()
        #expect(try await storage.hasLostRecords())
        #expect(storage.journal.withLock { $0 == nil })
        try storage.close()
        rmdir(place)
        try await requireOneRecovery(in: state, acceptingRestored: true)
    }

    @Test("a start without room in the database leaves the records in the journal")
    func noRoom() async throws {
        let (state, head, _) = try await killed()
        let storage = try SQLiteStorage(directory: state)
        func limit(_ pages: Int) async throws {
            _ = try await storage.queue.write { try Int.fetchOne($0, sql: "PRAGMA max_page_count = \(pages)") }
        }
        try await limit(1)
        try await storage.settle()
        #expect(storage.journal.withLock { $0?.hasWaiting } == true)
        try await limit(100_000)
        try await storage.settle()
        #expect(storage.journal.withLock { $0?.hasWaiting } == false)
        let log = try await ConsentLog.open(storage: storage)
        #expect(await log.head == head)
        try storage.close()
    }

    @Test("a version that knows no journal refuses the database, and takes one that has all records by itself")
    func earlierVersion() async throws {
        let storage = try SQLiteStorage(directory: directory.state)
        _ = try await ConsentLog.open(storage: storage)
        func migrations() async throws -> Set<String> {
            try await storage.queue.read { try String.fetchSet($0, sql: "SELECT identifier FROM grdb_migrations") }
        }
        #expect(try await migrations() == ["4", "journal"])
        try await storage.queue.write(SQLiteStorage.forgetJournal)
        #expect(try await migrations() == ["4"])
    }

    @Test("a database without a record whose journal is lost is refused, without a suggestion that does not help")
    func emptyDatabase() async throws {
        let storage = try SQLiteStorage(directory: directory.state)
        _ = try await ConsentLog.open(storage: storage)
        let names = ["consent.sqlite", "consent.sqlite-wal", "consent.journal"]
        let copy = directory.path + "/copy"
        try FileManager.default.copyItem(atPath: directory.state, toPath: copy)
        try storage.close()
        let journal = try bytes(copy)
        unlink(copy + "/consent.journal")
        let before = try names.dropLast().map { try bytes(copy, $0) }
        for state in ["", "with a key"] {
            if !state.isEmpty { try Data("key\n".utf8).write(to: URL(filePath: copy + "/consent.key")) }
            let error = #expect(throws: StorageError.self) { try SQLiteStorage(directory: copy) }
            #expect(error?.code == .logLost)
            #expect(error?.message.contains("--") == false && error?.message.contains("put the folder") == true)
        }
        #expect(try names.dropLast().map { try bytes(copy, $0) } == before)
        unlink(copy + "/consent.key")
        try journal.write(to: URL(filePath: copy + "/consent.journal"))
        try await go(on: copy)
    }

    @Test("records in the journal that do not follow the database's are noticed")
    func misplaced() async throws {
        let (state, _, _) = try await killed()
        let copy = directory.path + "/continued"
        try FileManager.default.copyItem(atPath: state, toPath: copy)
        try await go(on: copy)
        let (earlier, later) = (
            try DatabaseQueue(path: state + "/consent.sqlite"), try DatabaseQueue(path: copy + "/consent.sqlite")
        )
        let position = try await earlier.read {
            try Data.fetchOne($0, sql: "SELECT value FROM secrets WHERE name = 'journal'")
        }
        try await later.write {
            try $0.execute(sql: "UPDATE secrets SET value = ? WHERE name = 'journal'", arguments: [position])
        }
        try later.close()
        try bytes(state).write(to: URL(filePath: copy + "/consent.journal"))
        let error = await #expect(throws: ConsentError.self) { try await go(on: copy) }
        #expect(error?.code == .logLost)
    }

    @Test("an earlier database is not continued with a part of what the journal has")
    func earlierDatabase() async throws {
        let storage = try SQLiteStorage(directory: directory.state, journalHalf: 8192)
        let log = try await ConsentLog.open(storage: storage)
        func append() async throws {
            try await log.record(
                .recognizerFailed(
                    session: "s", client: .unregistered(executable: "a"), reason: String(repeating: "r", count: 300)),
                changing: nil)
        }
        for _ in 0..<3 { try await append() }
        #expect(try await log.records().count == 4)
        let earlier = directory.path + "/earlier"
        try FileManager.default.copyItem(atPath: directory.state, toPath: earlier)
        let beginning = try bytes(directory.state).prefix(JournalFrame.leastSize)
        // Until its half is begun again.
        while try bytes(directory.state).starts(with: beginning) { try await append() }
        try bytes(directory.state).write(to: URL(filePath: earlier + "/consent.journal"))
        #expect(try SQLiteStorage(directory: earlier).loss?.code == .logLost)
        try storage.close()
    }

    @Test("records that the database does not have are not overwritten")
    func keptWaiting() async throws {
        let storage = try SQLiteStorage(directory: directory.state)
        let log = try await ConsentLog.open(storage: storage)
        let journal = try #require(storage.journal.withLock { $0 })
        let before = try bytes(directory.state)
        #expect(throws: StorageError.self) { try journal.wipe(behind: journal.end) }
        #expect(try bytes(directory.state) == before)
        #expect(try await log.verify().records == 1)
    }
}
