import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Keeping when something goes wrong", .timeLimit(.minutes(5)))
struct KeepingTests {
    private func microphones(loops: Bool = false) throws -> VirtualMicrophoneConfiguration {
        var microphone = VirtualMicrophone(name: "mic", file: Programs.goForward)
        microphone.loops = loops
        return try VirtualMicrophoneConfiguration([microphone])
    }

    private func dictate(_ service: ServiceUnderTest) async throws -> [StreamEvent] {
        let dictation = try service.curl("/v1/dictation", ["-d", #"{"stopAfterSilence":0.5}"#])
        await dictation.end()
        return dictation.lines.compactMap { StreamEvent($0) }
    }

    @Test(
        "killed while it records, the service leaves nothing that can be read, and the next one records the end of it")
    func killed() async throws {
        let first = try await ServiceUnderTest(microphones(loops: true), answers: ServiceUnderTest.yesToAll)
        try first.registerCurl(keeping: ["transcript": "P30D", "recording": "P30D"])
        let dictation = try first.curl("/v1/dictation", ["-d", "{}"])
        // By then a chunk of the recording was written.
        let isFinal = StreamEvent.isOf("final")
        _ = try await dictation.line(where: isFinal)
        try await dictation.shows(#""type":"final""#, times: 2)
        try await eventually { first.keptFiles.count == 2 }
        first.program.signal(SIGKILL)
        await first.program.end()
        await dictation.end()
        let sound = try Data(contentsOf: URL(fileURLWithPath: Programs.goForward)).dropFirst(40_000).prefix(256)
        #expect(try first.stateFiles(holding: Data(sound)).isEmpty)
        #expect(try first.stateFiles(holding: Data("ten meters".utf8)).isEmpty)
        let next = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll, continuing: first)
        #expect(next.keptFiles.isEmpty)
        #expect(try await next.history().isEmpty)
        let records = try await next.records()
        let erased = records.filter { $0.kind == "data.erased" }
        #expect(erased.allSatisfy { $0.text("reason") == "incomplete" })
        #expect(erased.flatMap { $0.fields["items"] as? [String] ?? [] }.count == 2)
        #expect(!records.contains { $0.kind == "data.retained" })
        #expect(try await next.run(["audit", "verify"]).status == 0)
    }

    @Test(
        "a full disk keeps nothing from being dictated; the log says that it was not kept",
        .enabled(if: TimeNamespace.isAvailable, "needs root, to mount a small disk"))
    func full() async throws {
        let first = try await ServiceUnderTest(microphones(), answers: ServiceUnderTest.yesToAll)
        await first.stop()
        let mount = "mount -t tmpfs -o size=32k none '\(first.stateDirectory)/kept' && exec \"$@\""
        let service = try await ServiceUnderTest(
            answers: ServiceUnderTest.yesToAll, continuing: first,
            within: ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", mount, "sh"])
        try service.registerCurl(keeping: ["recording": "P30D"])
        let events = try await dictate(service)
        #expect(events.contains { $0.type == "final" && $0.text == "go forward ten meters" })
        #expect(events.last?.reason == "silence")
        let records = try await service.records()
        let unkept = try #require(records.first { $0.kind == "data.notKept" })
        #expect(unkept.text("dataKind") == "recording" && unkept.text("reason")?.contains("No space left") == true)
        #expect(!records.contains { $0.kind == "data.retained" })
        #expect(try await service.history().isEmpty)
        #expect(try await service.run(["audit", "verify"]).status == 0)
    }

    @Test("a kept file with one byte flipped is an error that says so, and no garbage; it can be erased")
    func flipped() async throws {
        let service = try await ServiceUnderTest(microphones(), answers: ServiceUnderTest.yesToAll)
        try service.registerCurl(keeping: ["recording": "P30D", "transcript": "P30D"])
        _ = try await dictate(service)
        for name in service.keptFiles {
            let path = service.stateDirectory + "/kept/" + name
            var data = try Data(contentsOf: URL(fileURLWithPath: path))
            data[data.count / 2] ^= 0x10
            try data.write(to: URL(fileURLWithPath: path))
            let file = service.folder.path + "/exported"
            let export = try await service.run(["history", "export", name, "--output", file])
            #expect(export.status == 69 && export.errors.contains("was changed, cut off or removed"))
            #expect(!FileManager.default.fileExists(atPath: file))
        }
        let list = try await service.run(["history"])
        #expect(list.status == 0 && list.output.contains { $0.contains("was changed, cut off or removed") })
        #expect(try await service.run(["history", "erase", "--client", "org.example.curl"]).status == 0)
        #expect(service.keptFiles.isEmpty)
    }

    @Test("of a sound file the transcript is kept, and goes with speech recognition")
    func file() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        try service.registerCurl(keeping: ["recording": "P30D", "transcript": "P30D"])
        let upload = try service.curl(
            "/v1/audio/transcriptions", ["--data-binary", "@\(Programs.librivox("0880"))"])
        await upload.end()
        let kept = try await service.history()
        #expect(kept.map { $0["kind"] as? String } == ["transcript"])
        #expect((kept.first?["text"] as? String)?.isEmpty == false)
        #expect(try await service.run(["reset", "microphone", "--client", "org.example.curl"]).status == 0)
        #expect(service.keptFiles.count == 1, "the microphone was not used for it")
        #expect(
            try await service.run(["settings", "org.example.curl", "--deny", "speechRecognition"]).status == 0)
        _ = try await service.records { $0.contains { $0.kind == "data.erased" } }
        #expect(service.keptFiles.isEmpty)
    }

    @Test("kept data is not shown to a program that runs the command")
    func programs() async throws {
        let service = try await ServiceUnderTest(microphones(), answers: ServiceUnderTest.yesToAll)
        try service.registerCurl(keeping: ["transcript": "P30D"])
        _ = try await dictate(service)
        let script = try service.registerScript(
            """
            import subprocess, sys
            sys.exit(subprocess.run(sys.argv[1:]).returncode)
            """)
        let program = try RunningProgram(
            ["/usr/bin/python3", script, Programs.commandLine, "history", "--socket", service.socket],
            environment: service.environment)
        #expect(await program.end() == 77, "\(program.errorText)")
        #expect(!program.lines.joined().contains("forward"))
        #expect(try await service.history().count == 1)
    }
}
