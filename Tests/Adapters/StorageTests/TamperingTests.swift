import Consent
import Foundation
import GRDB
import TestSupport
import Testing

@testable import Storage

struct TamperingTests {
    private let directory = TemporaryDirectory()

    private func told() async throws -> (SQLiteStorage, ConsentLog) {
        let storage = try SQLiteStorage(directory: directory.state)
        let log = try await ConsentLog.open(storage: storage)
        for step in LedgerSamples.story { try await log.record(step.event, changing: step.change) }
        #expect(try await log.verify().problem == nil)
        return (storage, log)
    }

    /// Runs SQL as an attacker would who does not care about keys and checks.
    private func run(_ sql: String, in storage: SQLiteStorage, _ arguments: StatementArguments = []) async throws {
        try await storage.queue.writeWithoutTransaction {
            try $0.execute(sql: "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON")
            try $0.execute(sql: sql, arguments: arguments)
        }
    }

    @Test("a change in any column of any table is found")
    func everyColumn() async throws {
        let (storage, log) = try await told()
        let whole = try await Tables(storage)
        var changes = 0
        for change in whole.changes {
            try await whole.write(change, to: storage)
            let intact = await (try? log.verify())?.isIntact ?? false
            if intact { Issue.record("not found: \(change.description)") }
            changes += 1
        }
        #expect(changes > 100)
        try await whole.write(nil, to: storage)
        #expect(try await log.verify().isIntact)
    }

    @Test(
        "a removed or added row is found, and named where it was",
        arguments: [
            ("DELETE FROM entries WHERE position = 2", "recordMissing 2"),
            ("UPDATE entries SET disclosed = NULL WHERE position = 3", "disclosureMissing 3"),
            (
                "UPDATE entries SET disclosed = (SELECT disclosed FROM entries WHERE position = 2) WHERE position = 1",
                "disclosureAltered 1"
            ),
            ("UPDATE entries SET kind = 'service.muted' WHERE position = 4", "leafAltered 4"),
            ("INSERT INTO entries SELECT 6, kind, leaf, disclosed FROM entries WHERE position = 5", "indexWrong 6"),
            (
                "INSERT INTO entries SELECT -5, kind, leaf, disclosed FROM entries WHERE position = 5",
                "recordUnexpected -5"
            ),
            ("INSERT INTO nodes VALUES (8, 0, zeroblob(32))", "treeHeadWrong -"),
            ("DELETE FROM tree", "treeHeadWrong -"),
            ("DELETE FROM decisions WHERE resource = 'microphone'", "decisionWrong 2"),
            (
                "INSERT INTO decisions SELECT 0, client, resource, verdict, NULL, indication, 0, NULL, NULL, 2 FROM decisions LIMIT 1",
                "decisionWrong -"
            ),
        ])
    func rows(sql: String, expected: String) async throws {
        let (storage, log) = try await told()
        try await run(sql, in: storage)
        let problem = try await log.verify().problem
        #expect("\(problem?.kind.rawValue ?? "none") \(problem?.index.map(String.init) ?? "-")" == expected)
    }

    @Test("a change of the database by another program is found at the next record, and no record is stored")
    func changedBehindTheBack() async throws {
        let (storage, log) = try await told()
        try await run("UPDATE tree SET size = 3", in: storage)
        for _ in 0..<2 {
            let error = await #expect(throws: ConsentError.self) {
                try await log.record(.sessionStarted(LedgerSamples.session), changing: .store(LedgerSamples.decision))
            }
            #expect(error?.code == .failed)
        }
        let last = try await storage.queue.read { try Int.fetchOne($0, sql: "SELECT max(position) FROM entries") }
        #expect(last == 5)
    }

    @Test("a log continues after a restart, with all decisions")
    func restart() async throws {
        let (storage, log) = try await told()
        let head = await log.head
        try storage.close()
        let copy = directory.path + "/copy"
        try FileManager.default.copyItem(atPath: directory.state, toPath: copy)
        let again = try await ConsentLog.open(storage: try SQLiteStorage(directory: copy))
        #expect(await again.head == head)
        #expect(try await again.decisions().contains(LedgerSamples.storedDecision))
        try await again.record(
            .withdrawn(LedgerSamples.key, notice: nil, decision: nil, by: LedgerSamples.requester.caller),
            changing: .remove(LedgerSamples.key))
        #expect(try await !again.decisions().contains(LedgerSamples.storedDecision))
        #expect(try await again.verify().isIntact)
        #expect(try await again.records(matching: AuditFilter(limit: 1)).map(\.kind) == ["decision.withdrawn"])
    }
}
