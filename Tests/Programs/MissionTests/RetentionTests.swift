import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("C. Privacy: what is kept", .timeLimit(.minutes(5)))
struct RetentionTests {
    private static let sentence = "go forward ten meters"

    private func service() async throws -> ServiceUnderTest {
        try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
    }

    /// A dictation that ends by itself when the sentence was said.
    private func dictate(_ service: ServiceUnderTest) async throws -> [StreamEvent] {
        let dictation = try service.curl("/v1/dictation", ["-d", #"{"stopAfterSilence":0.5}"#])
        await dictation.end()
        return dictation.lines.compactMap { StreamEvent($0) }
    }

    private func expectHeard(_ events: [StreamEvent]) {
        #expect(events.contains { $0.type == "final" && $0.text == Self.sentence }, "\(events)")
        #expect(events.last?.type == "ended")
    }

    @Test(
        "C1 data that expired while no service ran is erased when one starts, with a record",
        .enabled(if: TimeNamespace.isAvailable, "needs root and a kernel with time namespaces"))
    func endedMeanwhile() async throws {
        let first = try await service()
        try first.registerCurl(keeping: ["transcript": "P30D", "recording": "P1Y"])
        expectHeard(try await dictate(first))
        await first.stop()
        let early = try await ServiceUnderTest(continuing: first, within: TimeNamespace.command(daysLater: 29))
        #expect(try await early.history().count == 2)
        await early.stop()
        let late = try await ServiceUnderTest(continuing: first, within: TimeNamespace.command(daysLater: 31))
        #expect(try await late.history().map { $0["kind"] as? String } == ["recording"])
        #expect(late.keptFiles.count == 1)
        let erased = try await late.records().filter { $0.kind == "data.erased" }
        #expect(erased.map { $0.text("reason") } == ["retentionEnded"])
        #expect(try await late.run(["audit", "verify"]).status == 0)
    }
}
