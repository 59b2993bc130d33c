import Foundation
import TestSupport
import Testing

@Suite("The commands against the real service", .timeLimit(.minutes(3)))
struct CommandTests {
    func service(_ microphone: VirtualMicrophone? = nil, answers: [String]? = ServiceUnderTest.yesToAll) async throws
        -> ServiceUnderTest
    {
        try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone ?? VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: answers)
    }

    @Test("transcribe writes a person's words as text, JSON, SRT and VTT, and goes on after a bad file")
    func transcribe() async throws {
        let service = try await service()
        let good = Programs.librivox("0880")
        for format in ["text", "json", "srt", "vtt"] {
            let (status, output, errors) = try await service.run(["transcribe", "--format", format, good])
            #expect(status == 0, "\(format): \(errors)")
            #expect(output.joined(separator: " ").contains("young man"), "\(format): \(output)")
        }
        let bad = try service.folder.write("no sound at all, but text enough to be looked at", to: "bad.wav")
        let mixed = try await service.run(["transcribe", bad, good])
        #expect(mixed.status == 65)
        #expect(mixed.output.joined().contains("young man"))
        #expect(mixed.errors.contains("bad.wav"))
        #expect(try await service.run(["transcribe", "/nonexistent.wav"]).status == 66)
    }

    @Test("without speech recognition transcribe ends with 77; it never needs the microphone")
    func transcribePermission() async throws {
        let service = try await service(answers: [
            #"{"client":"*","resource":"speechRecognition","answer":"whileInUse"}"#,
            #"{"client":"*","resource":"microphone","answer":"deny"}"#,
        ])
        #expect(try await service.run(["transcribe", Programs.librivox("0880")]).status == 0)
        #expect(try await service.run(["dictate"]).status == 77)
        #expect(try await service.run(["settings", "io.voicegate.cli", "--deny", "speechRecognition"]).status == 0)
        let refused = try await service.run(["transcribe", Programs.librivox("0880")])
        #expect(refused.status == 77)
        #expect(refused.errors.contains("voicegate settings io.voicegate.cli --allow speechRecognition"))
    }

    @Test("piped, dictate writes whole final lines to standard output and nothing else")
    func piped() async throws {
        let dictation = try await service().run(["dictate", "--stop-after-silence", "1"])
        #expect(dictation.status == 0, "\(dictation.errors)")
        #expect(dictation.output == ["go forward ten meters"])
    }

    @Test("with --json dictate writes one event a line and nothing else")
    func json() async throws {
        let dictation = try await service().run(["dictate", "--stop-after-silence", "1", "--json"])
        #expect(dictation.status == 0)
        let events = dictation.output.compactMap { StreamEvent($0) }
        #expect(events.count == dictation.output.count)
        #expect(events.first?.type == "started")
        #expect(events.last?.type == "ended")
    }

    @Test("Ctrl-C ends a dictation with what was heard; a second one throws it away", arguments: [false, true])
    func interrupted(twice: Bool) async throws {
        var microphone = VirtualMicrophone(name: "mic", file: Programs.librivox("0870"))
        microphone.loops = true
        let service = try await service(microphone)
        let dictation = try service.commandLine(["dictate", "--json"])
        try await dictation.line(where: StreamEvent.isOf("partial"))
        dictation.signal(SIGINT)
        if twice { dictation.signal(SIGINT) }
        // Two signals at once may be one to the kernel; then the first one's rule holds.
        let status = await dictation.end()
        #expect(status == 0 || (twice && status == 130), "\(dictation.errorText)")
        if status == 0 { #expect(dictation.lines.contains(where: StreamEvent.isOf("final"))) }
        let last = try await service.records().last { $0.kind == "session.stopped" }
        #expect(["ended", "cancelled", "disconnected"].contains(last?.text("reason")))
    }

    @Test("a device that is not there ends with 69, one in use with 75, both with a reason")
    func devices() async throws {
        var busy = VirtualMicrophone(name: "busy", file: Programs.goForward)
        busy.openError = EBUSY
        let service = try await service(busy)
        let listed = try await service.run(["devices"])
        #expect(listed.status == 0)
        #expect(listed.output.joined(separator: "\n").contains("busy"))
        let missing = try await service.run(["dictate", "--device", "nosuchdevice"])
        #expect(missing.status == 69)
        #expect(missing.errors.contains("nosuchdevice"))
        let inUse = try await service.run(["dictate", "--device", "busy"])
        #expect(inUse.status == 75)
        #expect(!inUse.errors.isEmpty)
    }

    @Test("request, settings, reset and status say how things stand and change it")
    func settings() async throws {
        let service = try await service()
        #expect(try await service.run(["request"]).status == 0)
        let shown = try await service.run(["settings"])
        #expect(shown.output.joined(separator: "\n").contains("io.voicegate.cli"))
        #expect(shown.output.count(where: { $0.contains("allowed") }) == 2, "\(shown.output)")
        #expect(try await service.run(["reset"]).status == 0)
        let status = try await service.run(["status", "--json"])
        #expect(status.output.joined().contains(#""microphone":"notDetermined""#), "\(status)")
        #expect(try await service.run(["settings", "org.example.unknown", "--allow", "microphone"]).status != 0)
        #expect(try await service.run(["settings", "--nonsense"]).status == 64)
    }

    @Test("status --follow tells a change as it happens")
    func follow() async throws {
        let service = try await service()
        let status = try service.commandLine(["status", "--follow", "--json"])
        try await status.line { $0.contains(#""microphone":"notDetermined""#) }
        #expect(try await service.run(["request"]).status == 0)
        try await status.line { $0.contains(#""microphone":"authorized""#) }
        status.signal(SIGINT)
        await status.end()
    }

    @Test("the records are lines that name client and kind, and verify counts them")
    func audit() async throws {
        let service = try await service()
        #expect(try await service.run(["request"]).status == 0)
        let records = try await service.run(["audit", "records"])
        #expect(records.output.count == 5)
        #expect(records.output[2].contains("decision.granted"))
        #expect(records.output[2].contains("io.voicegate.cli · speechRecognition · whileInUse · by a script"))
        let verified = try await service.run(["audit", "verify"])
        #expect(verified.status == 0)
        #expect(verified.output.joined().contains("5 records"))
    }

    @Test("the command line starts the service where there is none, once, and says what to do where it may not")
    func startsService() async throws {
        let folder = try TemporaryFolder()
        let environment = [
            "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "XDG_STATE_HOME": folder.path + "/state",
            "PATH": "/usr/bin:/bin",
        ]
        let refused = try RunningProgram(
            [Programs.commandLine, "status"],
            environment: environment.merging(["VOICEGATE_NO_START": "1"]) { _, new in new })
        #expect(await refused.end() == 69)
        #expect(refused.errorText.contains("voicegated"))
        let both = try (0..<2).map { _ in
            try RunningProgram([Programs.commandLine, "status", "--json"], environment: environment)
        }
        for command in both { #expect(await command.end() == 0, "\(command.errorText)") }
        let health = try RunningProgram(
            [
                Programs.curl, "-s", "--unix-socket", folder.path + "/voicegate/voicegate.sock",
                "http://voicegate/v1/health",
            ], environment: environment)
        await health.end()
        let reply = try JSONSerialization.jsonObject(with: Data(health.lines.joined().utf8)) as? [String: Any]
        let process = try #require(reply?["processIdentifier"] as? Int32)
        defer { kill(process, SIGKILL) }
        // A session of its own: it outlives the terminal of the command that started it.
        #expect(getsid(process) == process)
        #expect(FileManager.default.fileExists(atPath: folder.path + "/state/voicegate/voicegated.log"))
    }

    @Test("a closed pipe ends the output quietly")
    func closedPipe() async throws {
        let service = try await service()
        let command = "'\(Programs.commandLine)' audit records --socket '\(service.socket)' | head -n 1"
        let shell = try RunningProgram(["/bin/bash", "-c", command], environment: service.environment)
        #expect(await shell.end() == 0)
        #expect(shell.lines.count == 1)
        #expect(shell.errorText.isEmpty)
    }
}
