import Consent
import Foundation
import Testing

@testable import AuditExport

@Suite struct AppPrivacyReportTests {
    private struct Line: Decodable {
        struct Accessor: Decodable {
            let identifier: String
            let identifierType: String
        }

        let accessor: Accessor
        let category: String
        let identifier: String
        let kind: String
        let timeStamp: String
        let type: String
    }

    private func lines(_ records: [AuditRecord]) throws -> [Line] {
        try Exports.text(AppPrivacyReport(), of: records).split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
    }

    @Test("each session with a microphone is a begin and an end with the same identifier")
    func pairs() throws {
        let records = SampleLog.story().records
        let lines = try lines(records)
        let begins = lines.filter { $0.kind == "intervalBegin" }
        let ends = lines.filter { $0.kind == "intervalEnd" }
        #expect(begins.count == records.count { $0.kind == "session.started" })
        #expect(ends.count == records.count { $0.kind == "session.stopped" })
        #expect(Set(begins.map(\.identifier)).isSuperset(of: ends.map(\.identifier)))
        #expect(lines.allSatisfy { $0.category == "microphone" && $0.type == "access" })
        #expect(lines.allSatisfy { $0.accessor.identifierType == "bundleID" && !$0.accessor.identifier.isEmpty })
        #expect(lines.allSatisfy { Timestamp($0.timeStamp) != nil })
    }

    @Test("a sound file that was read is no access to the microphone")
    func files() throws {
        var log = SampleLog()
        var fields = log.who(.notes)
        fields["session"] = .string("s")
        fields["device"] = .null
        fields["grants"] = .object(["speechRecognition": .string("lease")])
        log.add("session.started", at: SampleLog.start, fields)
        log.add("session.stopped", at: SampleLog.start + 1, fields)
        #expect(try lines(log.records).isEmpty)
    }
}
