import Consent
import Foundation
import TestSupport
import Testing

@testable import Storage

/// A disk that is full or fails at each single call that a grant needs.
@Suite(.serialized)
struct FailingGrantTests {
    struct Attempt {
        var first: String?
        var failed: String?
        var second: String?
        var probe: String?

        init(_ lines: [String]) {
            func rest(_ name: String) -> String? {
                lines.first { $0.hasPrefix(name + " ") }.map { String($0.dropFirst(name.count + 1)) }
            }
            (first, failed, second, probe) = (rest("first"), rest("failed"), rest("second"), rest("probe"))
        }
    }

    @Test(
        "whichever call of a grant fails, nothing is granted, and the log is whole",
        arguments: [("full", true), ("full", false), ("broken", true), ("broken", false)])
    func everyCall(fault: String, onlyOnce: Bool) async throws {
        var kinds: Set<String> = []
        var number = 0
        while true {
            let directory = TemporaryDirectory()
            try await prepare(directory.state)
            let writer = try LedgerWriterProcess(
                directory.state, "grant", "fail-call=\(number)", "fault=\(fault)", onlyOnce ? "" : "from-then-on=1")
            let attempt = Attempt(writer.remainingLines())
            #expect(writer.process.terminationStatus == 0)
            guard let failed = attempt.failed, failed != "-" else {
                #expect(attempt.first == "authorized -" && attempt.second == "authorized -")
                break
            }
            kinds.insert(failed)
            let note: Comment = "\(fault) at call \(number), a \(failed)"
            try await check(attempt, directory.state, isFull: fault == "full", note)
            number += 1
        }
        // A notice and a decision, each with its pages and its sync.
        #expect(number >= 4 && kinds == ["write", "sync"], "\(number) calls: \(kinds)")
    }

    private func check(_ attempt: Attempt, _ state: String, isFull: Bool, _ note: Comment) async throws {
        #expect(attempt.first == "notDetermined recordingFailed", note)
        if isFull, attempt.failed == "write" {
            #expect(attempt.second == "authorized -", note)
            #expect(attempt.probe == "written", note)
        } else {
            #expect(attempt.second == "notDetermined recordingFailed", note)
            #expect(attempt.probe == "failed inputOutput", note)
        }
        let storage = try SQLiteStorage(directory: state)
        let log = try await ConsentLog.open(storage: storage)
        #expect(try await log.verify().problem == nil, note)
        let clients = Set(try await log.decisions().map(\.key.client.rawValue))
        let granted = Set(
            try await log.records().filter { $0.kind == "decision.granted" }.compactMap { $0.fields["client"]?.string })
        #expect(clients == granted, note)
        // After a failed sync, the content of the disk is unknown until it is read again.
        if attempt.failed != "sync" { #expect(!clients.contains("org.example.one"), note) }
        #expect(clients.contains("org.example.two") == (attempt.second == "authorized -"), note)
        try await log.recordFailure()
        try storage.close()
    }

    /// A log that is there already.
    private func prepare(_ state: String) async throws {
        let storage = try SQLiteStorage(directory: state)
        _ = try await ConsentLog.open(storage: storage)
        try storage.close()
    }
}
