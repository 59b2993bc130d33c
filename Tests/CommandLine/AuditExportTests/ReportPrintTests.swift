import Authorization
import Consent
import Foundation
import TestSupport
import Testing

@Suite("The report after erasures, and in print", .timeLimit(.minutes(2))) struct ReportPrintTests {
    /// Half an hour of use by three programs, with what a person then erased.
    private static func log(erasures: Int) -> SampleLog {
        var log = SampleLog()
        log.add("log.genesis", at: SampleLog.start, ["log": .string(String(repeating: "0f", count: 16))])
        log.ask(.notes, at: SampleLog.start + 1_000)
        log.ask(.minutes, at: SampleLog.start + 30_000)
        log.ask(.hostile, at: SampleLog.start + 60_000, answer: "decision.denied")
        for turn in 0..<24 {
            let program: SampleProgram = turn % 2 == 0 ? .notes : .minutes
            log.listen(program, at: SampleLog.start + 90_000 + Int64(turn) * 70_000, milliseconds: 41_000)
        }
        for number in 0..<erasures {
            let index = log.add("session.started", at: SampleLog.start + 1_800_000 + Int64(number), [:], erased: true)
            log.add(
                "data.erased", at: SampleLog.start + 1_800_000 + Int64(number),
                log.who(.notes).merging([
                    "records": [[.integer(Int64(index)), .integer(Int64(index))]],
                    "reason": "requested",
                ]) { $1 })
        }
        return log
    }

    @Test("an erasure by a person is not an open question; fields that are missing without a record of it are")
    func erasures() throws {
        let page = try Exports.report(Self.log(erasures: 37).records)
        #expect(page.contains("There are no open questions."))
        var log = Self.log(erasures: 3)
        log.add("decision.used", at: SampleLog.start + 1_900_000, [:], erased: true)
        #expect(try Exports.report(log.records).contains("One question is open."))
    }

    @Test("a permission with erased uses is not called unused, and an erased question is not called unanswered")
    func erasedUse() throws {
        var log = SampleLog()
        log.ask(.notes, at: SampleLog.start)
        let notice = log.add("notice.shown", at: SampleLog.start + 10_000, [:], erased: true)
        let session = log.add("session.started", at: SampleLog.start + 20_000, [:], erased: true)
        log.add(
            "data.erased", at: SampleLog.start + 30_000,
            [
                "records": .array([notice, session].map { [.integer(Int64($0)), .integer(Int64($0))] }),
                "reason": "requested",
            ])
        #expect(try Exports.report(log.records).contains("There are no open questions."))
    }

    @Test("half an hour of use is two pages of paper, numbered", arguments: Language.allCases)
    func pages(language: Language) async throws {
        let page = try Exports.report(Self.log(erasures: 37).records, language)
        let browser = try Browser()
        let folder = ProcessInfo.processInfo.environment["VOICEGATE_KEEP_REPORTS"] ?? browser.folder.path
        let file = "\(folder)/print.\(language.rawValue).pdf"
        _ = try await browser.run(
            try browser.folder.write(page, to: "page.html"), ["--print-to-pdf=\(file)", "--no-pdf-header-footer"])
        let text = String(decoding: try Data(contentsOf: URL(fileURLWithPath: file)), as: UTF8.self)
        #expect(text.matches(of: #/\/Type\s*\/Page\b(?!s)/#).count == 2)
    }

    @Test("times have seconds, the hours of the timeline have none")
    func seconds() throws {
        let page = try Exports.report(Self.log(erasures: 0).records)
        #expect(page.contains(#/<time>\d+ Sep 2026, \d\d:\d\d:\d\d<\/time>/#))
        #expect(page.contains(#/<span>\d+ Sep 2026, \d\d:00<\/span>/#))
    }
}
