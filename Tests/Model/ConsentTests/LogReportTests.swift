import Authorization
import Consent
import Foundation
import TestSupport
import Testing

@Suite("A report that a log's machine is at work")
struct LogReportTests {
    private static let root = "XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg="
    private static let line = "voicegate-report 7 2026-11-26T09:00:00.000Z"

    @Test("is read back from its text, and is not a checkpoint")
    func roundTrip() throws {
        let text = "a\n8\n\(Self.root)\n\(Self.line)\n"
        let report = try #require(LogReport(text: text))
        #expect(report.checkpoint == Checkpoint(text: "a\n8\n\(Self.root)\n"))
        #expect(report.counter == 7 && report.time == Timestamp("2026-11-26T09:00:00.000Z"))
        #expect(report.text == text)
        #expect(Checkpoint(text: text) == nil)
    }

    @Test(
        "of another form is refused",
        arguments: [
            "", "\n", "voicegate-report 7\n", "\(line)", "\(line)\n\n", "\(line)\n\(line)\n", "\(line) \n",
            " \(line)\n",
            "voicegate-report -1 2026-11-26T09:00:00.000Z\n", "voicegate-report 07 2026-11-26T09:00:00.000Z\n",
            "voicegate-report 9223372036854775808 2026-11-26T09:00:00.000Z\n",
            "voicegate-report 7 2026-11-26T09:00:00Z\n", "voicegate-report 7  2026-11-26T09:00:00.000Z\n",
            "other 7 2026-11-26T09:00:00.000Z\n", "\(line)\r\n",
        ])
    func malformed(_ lines: String) { #expect(LogReport(text: "a\n8\n\(Self.root)\n\(lines)") == nil) }

    @Test("of a log has its newest checkpoint and the time, is signed by its key, and appends nothing")
    func signed() async throws {
        let log = try await ConsentLog.open(storage: MemoryStorage())
        await #expect(throws: ConsentError.self) { try await log.signedReport(counter: 1) }
        let checkpoints = MemoryCheckpoints()
        try await log.beginSigning(with: checkpoints)
        for counter in 1...2 {
            let before = Timestamp(Date())
            let note = try await log.signedReport(counter: Int64(counter))
            let report = try #require(LogReport(text: note.text))
            #expect(note.signers(among: await log.verifiers).count == 1)
            #expect(report.checkpoint == Checkpoint(text: try await log.signedCheckpoint().text))
            #expect(report.checkpoint.head == (await log.head))
            #expect(report.counter == Int64(counter))
            #expect(before <= report.time && report.time <= Timestamp(Date()))
            try await log.record(.recovered(sessions: []))
        }
    }
}
