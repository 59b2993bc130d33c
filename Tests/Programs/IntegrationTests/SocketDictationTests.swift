import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Dictation over the socket, with curl", .timeLimit(.minutes(3)))
struct SocketDictationTests {
    @Test("curl reads its status, then dictates as NDJSON")
    func dictates() async throws {
        let microphone = VirtualMicrophone(name: "mic", file: Programs.goForward)
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()

        let status = try service.curl("/v1/authorization")
        await status.end()
        #expect(status.lines.joined().contains(#""client":"org.example.curl""#))
        #expect(status.lines.joined().contains(#""microphone":"notDetermined""#))

        let dictation = try service.curl("/v1/dictation", ["-d", #"{"stopAfterSilence":1}"#])
        #expect(await dictation.end() == 0)
        let events = dictation.lines.compactMap { StreamEvent($0) }
        #expect(events.count == dictation.lines.count)
        #expect(events.first?.type == "started")
        #expect(events.last?.type == "ended")
        #expect(events.last?.reason == "silence")
        let firstPartial = try #require(events.firstIndex { $0.type == "partial" })
        let final = try #require(events.firstIndex { $0.type == "final" })
        #expect(firstPartial < final)
        #expect(events[final].text == "go forward ten meters")
        let kinds = try await service.records().map(\.kind)
        #expect(
            kinds == [
                "log.genesis", "key.rotated", "decision.asked", "notice.shown", "decision.granted", "decision.asked",
                "notice.shown", "decision.granted", "session.started", "session.stopped",
            ])
        await service.stop()
    }

    @Test("a denied client gets 403 with the code, and the device is not opened")
    func denied() async throws {
        let folder = try TemporaryFolder()
        var microphone = VirtualMicrophone(name: "mic", file: Programs.goForward)
        microphone.openedFile = folder.path + "/opened"
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]),
            answers: [#"{"client":"*","resource":"*","answer":"deny"}"#])
        try service.registerCurl()
        let dictation = try service.curl("/v1/dictation", ["-d", "{}", "-w", "%{http_code}"])
        await dictation.end()
        #expect(dictation.lines.last?.hasSuffix("403") == true)
        #expect(dictation.lines.joined().contains(#""code":"denied""#))
        #expect(VirtualMicrophoneLog(folder.path + "/opened").entries.isEmpty)
        let kinds = try await service.records().map(\.kind)
        #expect(!kinds.contains("session.started"))
        #expect(kinds.contains("decision.denied"))
    }

    @Test("a manifest without the usage description is refused with the key's name and without a prompt")
    func missingUsageDescription() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        try service.registerCurl(describing: ["NSSpeechRecognitionUsageDescription"])
        let request = try service.curl("/v1/authorization/requests", ["-d", #"{"resource":"microphone"}"#])
        await request.end()
        #expect(request.lines.joined().contains(#""code":"missingUsageDescription""#))
        #expect(request.lines.joined().contains("NSMicrophoneUsageDescription"))
        #expect(try await !service.records().contains { $0.kind == "notice.shown" })
    }

    @Test(
        "a program without a manifest is refused with the command that writes one, and cannot change settings or read the log"
    )
    func unregistered() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let request = try service.curl("/v1/dictation", ["-d", "{}"])
        await request.end()
        #expect(request.lines.joined().contains("voicegate manifest new"), "\(request.lines)")
        let change = try service.curl(
            "/v1/settings/unregistered.curl",
            ["-X", "PUT", "-d", #"{"resource":"microphone","choice":"allow"}"#, "-w", "%{http_code}"])
        await change.end()
        #expect(change.lines.last?.hasSuffix("403") == true)
        let log = try service.curl("/v1/audit/records", ["-w", "%{http_code}"])
        await log.end()
        #expect(log.lines.last?.hasSuffix("403") == true)
    }

    @Test(
        "another user's process gets a refusal and no data",
        .enabled(if: getuid() == 0, "needs root to become another user"))
    func otherUser() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        // Even where the socket's mode lets it in.
        for path in ["", "/run", "/run/voicegate"] { chmod(service.folder.path + path, 0o755) }
        chmod(service.socket, 0o666)
        let calls = """
            import os, socket, sys
            for number in range(50):
                s = socket.socket(socket.AF_UNIX); s.settimeout(5); s.connect(sys.argv[1])
                try:
                    s.sendall(b"GET /v1/health HTTP/1.1\\r\\nHost: v\\r\\n\\r\\n")
                    answer = b""
                    while piece := s.recv(65536): answer += piece
                    head, _, body = answer.partition(b"\\r\\n\\r\\n")
                    print(head.split(b" ")[1].decode(), body.decode().strip(), flush=True)
                except OSError: pass
                s.close()
            """
        let stranger = try RunningProgram(
            [
                "/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "/usr/bin/python3", "-c",
                calls, service.socket,
            ], environment: service.environment)
        #expect(await stranger.end() == 0, "\(stranger.errorText)")
        // Each call comes to the refusal and the end of its connection, and tells nothing of the service.
        #expect(stranger.lines.count == 50)
        #expect(
            stranger.lines.allSatisfy {
                $0.hasPrefix("403 {") && $0.contains(#""error":{"code":"notAllowed","message":""#)
            },
            "\(stranger.lines.first ?? "")")
        #expect(!stranger.lines.contains { $0.contains("processIdentifier") || $0.contains(#""mode":"#) })
        let health = try service.curl("/v1/health")
        await health.end()
        #expect(!health.lines.isEmpty)
    }

    @Test("processes that connect and end at once do no harm")
    func gone() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let calls = """
            import os, socket, sys
            for number in range(200):
                if os.fork() == 0:
                    s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]); os._exit(0)
            for number in range(200): os.wait()
            """
        let callers = try RunningProgram(
            ["/usr/bin/python3", "-c", calls, service.socket], environment: service.environment)
        #expect(await callers.end() == 0, "\(callers.errorText)")
        let health = try service.curl("/v1/health")
        await health.end()
        #expect(!health.lines.isEmpty)
        #expect(await service.stop() == 0)
    }

    @Test("suspend drops what is said until resume; end decodes what was heard; cancel throws it away")
    func control() async throws {
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        let dictation = try service.curl("/v1/dictation", ["-d", "{}"])
        let started = try await dictation.line(where: StreamEvent.isOf("started"))
        let session = try #require(StreamEvent(started)?.fields["session"] as? String)
        for (word, event) in [("suspend", "paused"), ("resume", "resumed"), ("end", "ended")] {
            let control = try service.curl("/v1/dictation/\(session)/\(word)", ["-X", "POST", "-w", "%{http_code}"])
            await control.end()
            #expect(control.lines == ["204"])
            try await dictation.line(where: StreamEvent.isOf(event))
        }
        let again = try service.curl("/v1/dictation/\(session)/end", ["-X", "POST", "-w", "%{http_code}"])
        await again.end()
        #expect(again.lines.last?.hasSuffix("404") == true)
    }
}
