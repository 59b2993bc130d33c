import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("voicegate dictate", .timeLimit(.minutes(3)))
struct DictateCommandTests {
    let folder: TemporaryFolder
    let service: ServiceUnderTest
    var opened: String { folder.path + "/opened" }
    var unplugged: String { folder.path + "/unplugged" }

    init() async throws {
        folder = try TemporaryFolder()
        let once = VirtualMicrophone(name: "mic", file: Programs.goForward)
        // A sentence over and over, so that a session is always in the middle of speech.
        var endless = VirtualMicrophone(name: "endless", file: Programs.librivox("0870"))
        endless.loops = true
        endless.openedFile = folder.path + "/opened"
        endless.unpluggedFile = folder.path + "/unplugged"
        var busy = VirtualMicrophone(name: "busy", file: Programs.goForward)
        busy.openError = EBUSY
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([once, endless, busy]), answers: ServiceUnderTest.yesToAll)
    }

    @Test("piped, standard output is the final text alone, and no live text is anywhere")
    func piped() async throws {
        let (status, output, errors) = try await service.run(["dictate", "--stop-after-silence", "1"])
        #expect(status == 0)
        #expect(output == ["go forward ten meters"])
        #expect(errors.contains("Listening on"))
        #expect(!errors.contains("\r") && !errors.contains("\u{1B}") && !errors.contains("go"), "\(errors)")
    }

    @Test("--json is a stream of events and nothing else on standard output")
    func json() async throws {
        let (status, output, _) = try await service.run(["dictate", "--stop-after-silence", "1", "--json"])
        #expect(status == 0)
        let events = output.compactMap { StreamEvent($0) }
        #expect(events.count == output.count, "\(output)")
        #expect(events.first?.type == "started")
        #expect(events.contains { $0.type == "partial" })
        let finals = events.filter { $0.type == "final" }.compactMap(\.text).filter { !$0.isEmpty }
        #expect(finals == ["go forward ten meters"])
        #expect(events.last?.reason == "silence")
    }

    @Test(
        "a device that is not there is 69, one that another program holds is 75",
        arguments: [("nosuch", 69), ("busy", 75)])
    func unusableDevice(_ name: String, _ expected: Int32) async throws {
        let (status, output, errors) = try await service.run(["dictate", "--device", name])
        #expect(status == expected, "\(errors)")
        #expect(output.isEmpty)
        #expect(errors.contains(name), "\(errors)")
        let json = try await service.run(["dictate", "--device", name, "--json"])
        #expect(json.status == expected)
        #expect(json.output.count == 1)
        #expect(json.output.first?.contains(name == "busy" ? "deviceBusy" : "deviceUnavailable") == true, "\(json)")
    }

    @Test("--wait-for-device continues after replugging")
    func replug() async throws {
        let dictation = try service.commandLine(["dictate", "--device", "endless", "--wait-for-device", "--json"])
        try await dictation.line(where: StreamEvent.isOf("partial"))
        _ = FileManager.default.createFile(atPath: unplugged, contents: nil)
        try await dictation.shows("Waiting for it")
        try FileManager.default.removeItem(atPath: unplugged)
        try await dictation.shows("Listening again on")
        let before = dictation.lines.count(where: StreamEvent.isOf("partial"))
        try await dictation.lines(before + 1, where: StreamEvent.isOf("partial"))
        dictation.signal(SIGINT)
        #expect(await dictation.end() == 0)
        #expect(dictation.lines.last.flatMap { StreamEvent($0) }?.reason == "ended")
    }

    @Test("SIGINT while listening writes the text so far and succeeds")
    func interrupted() async throws {
        let dictation = try service.commandLine(["dictate", "--device", "endless", "--json"])
        try await dictation.line(where: StreamEvent.isOf("partial"))
        let finals = dictation.lines.count(where: StreamEvent.isOf("final"))
        dictation.signal(SIGINT)
        #expect(await dictation.end() == 0)
        let events = dictation.lines.compactMap { StreamEvent($0) }
        #expect(events.last?.type == "ended")
        #expect(events.last?.reason == "ended")
        #expect(events.count { $0.type == "final" } > finals)
        #expect(VirtualMicrophoneLog(opened).count(.close) == 1)
    }

    @Test("Ctrl-C at a terminal writes the last final text, and the exit code is 0")
    func controlC() async throws {
        #expect(try await service.run(["request"]).status == 0)
        let dictation = try service.atTerminal(["dictate", "--device", "endless"])
        try await dictation.shows("john")
        try dictation.type("\u{3}")
        #expect(await dictation.end() == 0, "\(dictation.lines)")
        // The text after the live line was last cleared.
        let written = try #require(dictation.lines.last?.components(separatedBy: "\u{1B}[K").last)
        #expect(written.contains("john"), "\(dictation.lines)")
        #expect(try await service.records().last { $0.kind == "session.stopped" }?.text("reason") == "ended")
    }

    @Test("a second SIGINT does not wait for the last words, and the exit code is 130")
    func interruptedTwice() async throws {
        let dictation = try service.commandLine(["dictate", "--device", "endless", "--json"])
        try await dictation.line(where: StreamEvent.isOf("partial"))
        // The recognisers stand still, so that the last words never come.
        let recognizers = service.recognizers
        for process in recognizers { kill(process, SIGSTOP) }
        defer { for process in recognizers { kill(process, SIGCONT) } }
        let finals = dictation.lines.count(where: StreamEvent.isOf("final"))
        dictation.signal(SIGINT)
        try await eventually { VirtualMicrophoneLog(opened).count(.close) > 0 }
        dictation.signal(SIGINT)
        #expect(await dictation.end() == 130, "\(dictation.errorText)")
        #expect(dictation.lines.count(where: StreamEvent.isOf("final")) == finals)
    }
}
