import Consent
import Foundation
import Testing

@testable import Commands

@Suite("Records at a terminal")
struct RecordDaysTests {
    @Test("are sentences below their day; a file's session is not listening")
    func days() throws {
        func record(_ index: Int, _ time: String, _ kind: String, _ fields: String = "{}") throws -> ConsentRecord {
            let json = #"{"index":\#(index),"time":"\#(time)","kind":"\#(kind)","fields":\#(fields),"isErased":false}"#
            return try JSONDecoder().decode(ConsentRecord.self, from: Data(json.utf8))
        }
        var days = RecordDays()
        var lines = try days.lines(record(7, "2026-11-28T23:59:58.000Z", "log.genesis"), timeZone: .gmt)
        lines += try days.lines(
            record(8, "2026-11-29T00:00:01.000Z", "session.started", #"{"client":"a.b"}"#), timeZone: .gmt)
        lines += try days.lines(
            record(9, "2026-11-29T00:00:02.000Z", "session.started", #"{"client":"a.b","device":"mic"}"#),
            timeZone: .gmt)
        lines += try days.lines(record(10, "2026-11-29T00:00:03.000Z", "later.kind"), timeZone: .gmt)
        #expect(
            lines == [
                "2026-11-28", "23:59:58  The log began · record 7", "", "2026-11-29",
                "00:00:01  The transcription of a file began · a.b · a sound file · record 8",
                "00:00:02  Listening began · a.b · mic · record 9", "00:00:03  later.kind · record 10",
            ])
    }
}
