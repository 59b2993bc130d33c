import Consent
import Foundation
import TestSupport
import Testing

@testable import AuditExport

@Suite("A session's time in exports") struct ListeningTests {
    private static let listening: [String: JSONValue] = [
        "heard": ["foreground": 3_000, "backgroundMode": 800],
        "dropped": ["background": 10_000], "paused": 0, "suspended": 200,
    ]
    private static let nothing: [String: JSONValue] = [
        "heard": [:], "dropped": ["background": 5_000], "paused": 0, "suspended": 0,
    ]

    /// One that heard everything, one that heard a part, one whose audio was all dropped, and one that opened nothing.
    private static let log: SampleLog = {
        var log = SampleLog()
        log.ask(.notes, at: SampleLog.start)
        var time = SampleLog.start + 60_000
        for (milliseconds, listening) in [
            (2_000, nil), (14_000, listening), (5_000, nothing), (0, nil),
        ] as [(Int64, [String: JSONValue]?)] {
            log.listen(.notes, at: time, milliseconds: milliseconds, listening: listening)
            time += 60_000
        }
        return log
    }()

    private func rows() throws -> [[String: Substring]] {
        let lines = Exports.text(AccessTable(), of: Self.log.records).split(separator: "\r\n")
        let columns = try #require(lines.first).split(separator: ",", omittingEmptySubsequences: false)
        return lines.dropFirst().map { line in
            let cells = line.split(separator: ",", omittingEmptySubsequences: false)
            return Dictionary(uniqueKeysWithValues: zip(columns.map(String.init), cells))
        }
    }

    @Test("the table has each kind, and listening only if something was heard")
    func table() throws {
        let rows = try rows()
        #expect(rows.map { $0["outcome"] } == ["listened", "listened", "heard nothing", "heard nothing"])
        #expect(rows.map { $0["listenedMilliseconds"] } == ["2000", "3800", "0", "0"])
        #expect(rows.map { $0["droppedMilliseconds"] } == ["0", "10000", "5000", "0"])
        #expect(rows.map { $0["suspendedMilliseconds"] } == ["0", "200", "0", "0"])
        #expect(rows.map { $0["heardIn"] } == ["foreground", "\"backgroundMode; foreground\"", "", ""])
        #expect(rows.map { $0["milliseconds"] } == ["2000", "14000", "5000", "0"])
    }

    @Test("the report counts as listened only what was heard")
    func report() throws {
        var figures = ReportFigures(clock: LocalClock(timeZone: .gmt), isWhole: true)
        for record in Self.log.records { figures.add(record) }
        #expect(figures.use.listened == Use.Count(times: 2, milliseconds: 5_800))
        #expect(figures.use.transcribed == Use.Count())
        #expect(figures.sessions.count == 2)
        let page = try Exports.report(Self.log.records)
        #expect(page.contains("a declared background mode, use in the foreground"))
    }

    @Test("the duration in linked data is what was heard")
    func linked() {
        let text = Exports.text(LinkedData(log: Exports.origin), of: Self.log.records)
        #expect(text.contains("PT3.800S") && text.contains("PT2.000S") && !text.contains("PT14.000S"))
    }
}
