import Authorization
import Consent
import Foundation
import TestSupport
import Testing

@Suite struct ReportPageTests {
    private static let log = SampleLog.story()

    /// So that a person can look at them, too: VOICEGATE_KEEP_REPORTS names a folder.
    @Test(arguments: Language.allCases)
    func `a report can be made in each language`(language: Language) throws {
        let page = try Exports.report(Self.log.records, language)
        #expect(page.contains("<html lang=\"\(language.rawValue)\">"))
        if let folder = ProcessInfo.processInfo.environment["VOICEGATE_KEEP_REPORTS"] {
            try page.write(toFile: "\(folder)/report.\(language.rawValue).html", atomically: true, encoding: .utf8)
        }
    }
}
