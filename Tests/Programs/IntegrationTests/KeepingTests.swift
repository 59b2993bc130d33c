import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Keeping when something goes wrong", .timeLimit(.minutes(5)))
struct KeepingTests {
    @Test(
        "a full disk keeps nothing from being dictated; the log says that it was not kept",
        .enabled(if: TimeNamespace.isAvailable, "needs root, to mount a small disk"))
    func full() async throws {
        let first = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
        await first.stop()
        let mount = "mount -t tmpfs -o size=32k none '\(first.stateDirectory)/kept' && exec \"$@\""
        let service = try await ServiceUnderTest(
            answers: ServiceUnderTest.yesToAll, continuing: first,
            within: ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", mount, "sh"])
        try service.registerCurl(keeping: ["recording": "P30D"])
        let dictation = try service.curl("/v1/dictation", ["-d", #"{"stopAfterSilence":0.5}"#])
        await dictation.end()
        let events = dictation.lines.compactMap { StreamEvent($0) }
        #expect(events.contains { $0.type == "final" && $0.text == "go forward ten meters" })
        #expect(events.last?.reason == "silence")
        let records = try await service.records()
        let unkept = try #require(records.first { $0.kind == "data.notKept" })
        #expect(unkept.text("dataKind") == "recording" && unkept.text("reason")?.contains("No space left") == true)
        #expect(!records.contains { $0.kind == "data.retained" })
        #expect(try await service.history().isEmpty)
        #expect(try await service.run(["audit", "verify"]).status == 0)
    }
}
