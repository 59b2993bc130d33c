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
                page.matches(of: try Regex("<dt>\(RegisterWording(language: .english).name(of: column))</dt>")).count
                    == 5)
        }
        #expect(!page.contains("<script") && page.contains("&lt;script&gt;alert(1)"))
    }

    @Test("the numbers are those of the report")
    func numbers() throws {
        var figures = ReportFigures(clock: LocalClock(timeZone: .gmt), isWhole: true)
        for record in Self.records { figures.add(record) }
        let uses = try #require(figures.programs["org.example.Notes"]?.use.listened.times)
        let page = Exports.text(FiguresFormat.register(Exports.scope()), of: Self.records)
        let notes = try #require(page.split(separator: "<article ").first { $0.contains("org.example.Notes") })
        let sessions = RegisterWording(language: .english).name(of: .timesListened)
        #expect(notes.contains("<dt>\(sessions)</dt><dd>\(uses)</dd>"))
    }

    @Test("the texts differ between languages, and no text is missing", arguments: RegisterColumn.allCases)
    func languages(column: RegisterColumn) {
        #expect(Set(Language.allCases.map { RegisterWording(language: $0).name(of: column) }).count == 3)
    }
}
