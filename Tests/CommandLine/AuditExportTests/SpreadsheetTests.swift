import Consent
import Foundation
import ProgramSupport
import TestSupport
import Testing

@testable import AuditExport

@Suite struct SpreadsheetTests {
    private static let log = SampleLog.story()
    /// Python's csv module in its strict mode: rows as JSON, one a line.
    private static let reader = """
        import csv, json, sys
        with open(sys.argv[1], newline="", encoding="utf-8") as file:
            for row in csv.reader(file, strict=True):
                print(json.dumps(row))
        """

    /// Rows as another program reads them.
    private func rows(_ text: String) async throws -> [[String]] {
        let folder = try TemporaryFolder()
        let program = try RunningProgram(
            ["/usr/bin/python3", "-c", Self.reader, try folder.write(text, to: "table.csv")],
            environment: ["PYTHONIOENCODING": "utf-8"], isForeground: false)
        try program.closeInput()
        let status = await program.end()
        #expect(status == 0, "\(program.errorText)")
        return try program.lines.map { try JSONDecoder().decode([String].self, from: Data($0.utf8)) }
    }

    @Test(
        "content that a spreadsheet could run is text",
        arguments: [
            "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u{FF1D}1", "\u{FF0B}1", "\u{FEFF}=1",
            "=cmd|' /C calc'!A0", "|calc", "%0A=1",
        ])
    func formulas(text: String) async throws {
        let cell = try await rows("name\r\n\(SpreadsheetCell.text(text))\r\n").last?.first
        #expect(cell == "'" + text)
    }

    @Test(
        "text that is not a formula stays as it is, quoted where it must be",
        arguments: [
            "Notes", "a,b", "say \"yes\"", "two\nlines", "two\r\nlines", "会議メモ", "1=2", "", "a;b", "a\tb", "'x",
        ])
    func texts(text: String) async throws {
        #expect(try await rows("name,last\r\n\(SpreadsheetCell.text(text)),x\r\n").last == [text, "x"])
    }

    @Test(
        "a character that turns the text around is shown, also before a formula",
        arguments: [
            ("invoice\u{202E}fdp.exe", "invoice\\u{202e}fdp.exe"), ("\u{202E}=1", "'\\u{202e}=1"),
            ("\u{2067}a,b\u{2069}", "\\u{2067}a,b\\u{2069}"), ("\u{200F}שלום", "\u{200F}שלום"),
        ])
    func directions(text: String, expected: String) async throws {
        #expect(try await rows("name\r\n\(SpreadsheetCell.text(text))\r\n").last == [expected])
    }

    @Test("a NUL cannot cut a cell off")
    func zero() async throws {
        #expect(try await rows("name\r\n\(SpreadsheetCell.text("a\0b"))\r\n").last == ["a\u{FFFD}b"])
    }

    @Test("every session and every refused access has its row, with begin, end and the grant that it used")
    func accesses() async throws {
        let rows = try await rows(Exports.text(AccessTable(), of: Self.log.records))
        let header = try #require(rows.first)
        #expect(rows.allSatisfy { $0.count == header.count })
        func column(_ name: String) throws -> [String] {
            let position = try #require(header.firstIndex(of: name))
            return rows.dropFirst().map { $0[position] }
        }
        let started = Self.log.records.count { $0.kind == "session.started" }
        let outcomes = try column("outcome")
        #expect(outcomes.count { $0 == "listened" } == started - 1)
        #expect(outcomes.count { $0 == "no end" } == 1)
        #expect(outcomes.count { $0 == "refused" } == 1)
        #expect(try column("session").filter { !$0.isEmpty }.count == started)
        #expect(try zip(column("outcome"), column("endedAt")).allSatisfy { ($0 == "listened") == !$1.isEmpty })
        #expect(try zip(column("outcome"), column("microphoneGrant")).allSatisfy { $0 == "refused" || !$1.isEmpty })
        #expect(
            try column("clientName").contains(
                "'" + SampleLog.hostileName.replacing("\u{202E}", with: "\\u{202e}")))
    }

    @Test("every decision has its row, and no row is anything else")
    func decisions() async throws {
        let rows = try await rows(Exports.text(DecisionTable(), of: Self.log.records))
        let kind = try #require(rows.first?.firstIndex(of: "kind"))
        let expected = Self.log.records.filter(\.isDecision).map(\.kind.rawValue)
        #expect(rows.dropFirst().map { $0[kind] } == expected)
        #expect(expected.contains("decision.granted") && !expected.contains("session.started"))
    }

    @Test("the one table has the rows of both")
    func combined() async throws {
        let rows = try await rows(Exports.text(CombinedTable(), of: Self.log.records)).dropFirst()
        let accesses = try await self.rows(Exports.text(AccessTable(), of: Self.log.records))
        #expect(rows.count { $0[0] == "access" } == accesses.count - 1)
        #expect(rows.count { $0[0] == "decision" } == Self.log.records.count(where: \.isDecision))
    }
}
