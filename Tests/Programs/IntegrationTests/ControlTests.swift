import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("voicegate control", .timeLimit(.minutes(3)))
struct ControlTests {
    let folder: TemporaryFolder
    let microphones: VirtualMicrophoneConfiguration
    var opened: VirtualMicrophoneLog { VirtualMicrophoneLog(folder.path + "/opened") }

    init() throws {
        folder = try TemporaryFolder()
        var endless = VirtualMicrophone(name: "endless", file: Programs.librivox("0870"))
        endless.loops = true
        endless.openedFile = folder.path + "/opened"
        microphones = try VirtualMicrophoneConfiguration([endless])
    }

    private func service() async throws -> ServiceUnderTest {
        try await ServiceUnderTest(microphones, answers: ServiceUnderTest.yesToAll)
    }

    private func control(_ service: ServiceUnderTest, _ words: String...) async throws -> (Int32, [String]) {
        let (status, output, _) = try await service.run(["control"] + words)
        return (status, output)
    }

    private func wait(for word: String, _ service: ServiceUnderTest) async throws {
        try await eventually { try await control(service, "status").1 == [word] }
    }

    @Test("from another terminal a dictation is begun, suspended, resumed and ended, and its text is written")
    func steered() async throws {
        let service = try await service()
        #expect(try await control(service, "status") == (0, ["idle"]))
        let dictation = try service.commandLine(["control", "begin", "--json"])
        try await dictation.line(where: StreamEvent.isOf("partial"))
        #expect(try await control(service, "status") == (0, ["listening"]))
        #expect(try await control(service, "begin") == (75, []))
        #expect(try await control(service, "suspend").0 == 0)
        try await dictation.line(where: StreamEvent.isOf("paused"))
        #expect(try await control(service, "status") == (0, ["suspended"]))
        let partials = dictation.lines.count(where: StreamEvent.isOf("partial"))
        #expect(try await control(service, "resume").0 == 0)
        try await dictation.line(where: StreamEvent.isOf("resumed"))
        try await dictation.lines(partials + 1, where: StreamEvent.isOf("partial"))
        #expect(try await control(service, "end").0 == 0)
        #expect(await dictation.end() == 0)
        #expect(dictation.lines.last.flatMap { StreamEvent($0) }?.reason == "ended")
        #expect(dictation.lines.contains(where: StreamEvent.isOf("final")))
        #expect(try await control(service, "status") == (0, ["idle"]))
        #expect(opened.entries.map(\.event) == [.open, .close])
    }

    @Test("toggle ends a running dictation, whichever program began it, and otherwise begins one")
    func toggled() async throws {
        let service = try await service()
        let typed = try service.commandLine(["dictate"])
        try await wait(for: "listening", service)
        #expect(try await control(service, "toggle").0 == 0)
        #expect(await typed.end() == 0)
        let begun = try service.commandLine(["control", "toggle", "--json"])
        try await begun.line(where: StreamEvent.isOf("partial"))
        #expect(try await control(service, "toggle").0 == 0)
        #expect(await begun.end() == 0)
        #expect(opened.entries.map(\.event) == [.open, .close, .open, .close])
    }

    @Test("cancel drops text that was not written yet; a dictation that has ended cannot be controlled")
    func cancelled() async throws {
        let service = try await service()
        let dictation = try service.commandLine(["dictate", "--json"])
        try await dictation.line(where: StreamEvent.isOf("partial"))
        #expect(try await control(service, "cancel").0 == 0)
        #expect(await dictation.end() == 130)
        // The words that were under way did not become a final text; an earlier sentence may have ended before.
        let told = dictation.lines.compactMap { StreamEvent($0)?.type }
        #expect(told.last { ["partial", "final"].contains($0) } == "partial", "\(dictation.lines)")
        for word in ["end", "cancel", "suspend", "resume"] {
            let (status, output, errors) = try await service.run(["control", word])
            #expect(status == 66)
            #expect(output.isEmpty)
            #expect(errors.contains("No dictation is running"), "\(errors)")
        }
        #expect(try await service.run(["control", "end", "--session", "none"]).status == 66)
    }

    @Test("a key that is let go before listening began ends it all the same")
    func earlyRelease() async throws {
        // No one answers the prompt here, so the question is how long it takes to begin.
        let service = try await ServiceUnderTest(microphones)
        let dictation = try service.atTerminal(["control", "begin"])
        try await dictation.shows("speech recognition")
        #expect(try await control(service, "status") == (0, ["beginning"]))
        let release = try service.commandLine(["control", "end"])
        try await dictation.press("w", until: "Allowed while using.")
        try await dictation.press("w", until: "Allowed while using.")
        #expect(await release.end() == 0, "\(release.errorText)")
        #expect(await dictation.end() == 0, "\(dictation.lines)")
        #expect(opened.entries.map(\.event) == [.open, .close])
    }

    @Test("another client sees and controls only its own dictations, and the command line does not see them")
    func others() async throws {
        let service = try await service()
        try service.registerCurl()
        for resource in ["speechRecognition", "microphone"] {
            try await service.run(["settings", "org.example.curl", "--allow", resource])
        }
        let own = try service.commandLine(["dictate", "--json"])
        try await own.line(where: StreamEvent.isOf("started"))
        let empty = try service.curl("/v1/dictation")
        #expect(await empty.end() == 0)
        #expect(empty.lines == [#"{"sessions":[]}"#])
        let other = try service.curl("/v1/dictation", ["-d", "{}"])
        try await other.line(where: StreamEvent.isOf("started"))
        let listed = try service.curl("/v1/dictation")
        #expect(await listed.end() == 0)
        #expect(listed.lines.first?.contains("org.example.curl") == true, "\(listed.lines)")
        #expect(listed.lines.first?.contains("io.voicegate.cli") == false)
        #expect(try await service.run(["control", "end"]).status == 0)
        #expect(await own.end() == 0)
        let (_, output, _) = try await service.run(["control", "status", "--json"])
        #expect(output == [#"{"sessions":[]}"#])
        other.signal(SIGKILL)
    }
}
