import Authorization
import Consent
import Foundation
import TestSupport
import Testing

@testable import AuditExport

@Suite("The record of processing activities") struct RegisterTests {
    private static let records = SampleLog.story().records

    @Test("each program that had a permission or used one has an entry with all that Art. 30 names")
    func page() throws {
        let page = Exports.text(FiguresFormat.register(Exports.scope()), of: Self.records)
        #expect(page.matches(of: #/<article /#).count == 5)
        #expect(page.contains("会議の議事録を作成するため。") && page.contains("Example Speech Ltd."))
        #expect(page.contains("none: in each session it had no network (verified)"))
        for column in RegisterColumn.allCases.dropFirst(2) {
            #expect(
                page.matches(of: try Regex("<dt>\(RegisterText.column(column).text(in: .english))</dt>")).count == 5)
        }
        #expect(!page.contains("<script") && page.contains("&lt;script&gt;alert(1)"))
    }

    @Test("the numbers are those of the report, and no cell is a formula")
    func table() throws {
        let lines = Exports.text(FiguresFormat.registerTable(Exports.scope()), of: Self.records).split(
            separator: "\r\n")
        #expect(lines.count == 6)
        #expect(lines[0].hasPrefix("activity,client,controller,purposes,categoriesOfDataSubjects,"))
        var figures = ReportFigures(clock: LocalClock(timeZone: .gmt), isWhole: true)
        for record in Self.records { figures.add(record) }
        let notes = try #require(lines.first { $0.hasPrefix("Notes,org.example.Notes,") })
        #expect(notes.contains(",\(figures.programs["org.example.Notes"]?.use.times ?? -1),"))
        #expect(lines.contains { $0.contains("'=HYPERLINK") } && !lines.contains { $0.contains(",=") })
    }

    @Test("the texts differ between languages, and none is missing", arguments: RegisterColumn.allCases)
    func languages(column: RegisterColumn) {
        #expect(Set(Language.allCases.map { RegisterText.column(column).text(in: $0) }).count == 3)
    }
}
