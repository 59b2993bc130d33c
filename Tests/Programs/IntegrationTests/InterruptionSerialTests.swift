import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Interruptions of a dictation", .timeLimit(.minutes(3)))
struct InterruptionSerialTests {
    let folder: TemporaryFolder
    let service: ServiceUnderTest
    var opened: String { folder.path + "/opened" }
    var unplugged: String { folder.path + "/unplugged" }

    init() async throws {
        folder = try TemporaryFolder()
        // A sentence over and over, so that a session is always in the middle of speech.
        var microphone = VirtualMicrophone(name: "mic", file: Programs.librivox("0870"))
        microphone.loops = true
        microphone.openedFile = folder.path + "/opened"
        microphone.unpluggedFile = folder.path + "/unplugged"
        // One warm recogniser, so that it is known which one the first session gets.
        let configuration = try folder.write("warmRecognizers: 1\n", to: "config.yaml")
        service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll,
            options: ["--configuration", configuration])
        try service.registerCurl()
    }

    func startedDictation(_ body: String = "{}") async throws -> RunningProgram {
        let dictation = try service.curl("/v1/dictation", ["-d", body])
        try await dictation.line(where: StreamEvent.isOf("partial"))
        return dictation
    }

    /// The record of the end of the only session.
    func stopped() async throws -> Record? { try await service.records().last { $0.kind == "session.stopped" } }

    @Test("killing the client closes the device within 200 ms, and the record says why")
    func clientKilled() async throws {
        let dictation = try await startedDictation()
        let killedAt = DispatchTime.now().uptimeNanoseconds
        dictation.signal(SIGKILL)
        await dictation.end()
        try await eventually { VirtualMicrophoneLog(opened).count(.close) > 0 }
        let closed = try #require(VirtualMicrophoneLog(opened).entries.last { $0.event == .close })
        #expect(closed.nanoseconds > killedAt)
        #expect(closed.nanoseconds - killedAt < 200_000_000)
        try await eventually { try await stopped() != nil }
        #expect(try await stopped()?.text("reason") == "disconnected")
    }

    @Test("a client that pipelines a second request before it goes cannot hold the microphone")
    func pipelined() async throws {
        let request = "POST /v1/dictation HTTP/1.1\\r\\nHost: v\\r\\nContent-Length: 2\\r\\n\\r\\n{}"
        let script = """
            import socket, sys
            s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
            s.sendall(b"\(request)" + b"\(request)" * 3 + b"POST /v1/dictation HTTP/1.1\\r\\nContent-Length: 9\\r\\n\\r\\n{")
            data = b""
            while b"started" not in data: data += s.recv(4096)
            print("started", flush=True)
            sys.stdin.readline()
            """
        let client = try RunningProgram(
            ["/usr/bin/python3", try service.registerScript(script), service.socket], environment: service.environment)
        try await client.line { $0 == "started" }
        client.signal(SIGKILL)
        await client.end()
        try await eventually {
            VirtualMicrophoneLog(opened).count(.close) >= VirtualMicrophoneLog(opened).count(.open)
        }
        #expect(VirtualMicrophoneLog(opened).count(.open) == 1)
    }

    @Test("denying in settings ends the stream with revoked, and the device is closed at once")
    func deniedInSettings() async throws {
        let dictation = try await startedDictation()
        let change = try await service.run(["settings", "org.example.curl", "--deny", "microphone"])
        #expect(change.status == 0, "\(change)")
        let ended = try await dictation.line(where: StreamEvent.isOf("ended"))
        #expect(StreamEvent(ended)?.reason == "revoked")
        #expect(await dictation.end() == 0)
        #expect(VirtualMicrophoneLog(opened).count(.close) == 1)
        #expect(try await stopped()?.text("reason") == "revoked")
        let again = try service.curl("/v1/dictation", ["-d", "{}"])
        await again.end()
        #expect(again.lines.joined().contains(#""code":"denied""#))
        #expect(VirtualMicrophoneLog(opened).count(.open) == 1)
    }

    @Test("a policy file that comes into force ends the stream with restricted; without it the answer holds again")
    func policy() async throws {
        let dictation = try await startedDictation()
        let path = try service.folder.write(
            "deny:\n  - resource: microphone\n    client: org.example.curl\n    reason: examination\n",
            to: "policy.d/exam.yaml")
        let ended = try await dictation.line(where: StreamEvent.isOf("ended"))
        #expect(StreamEvent(ended)?.reason == "restricted")
        await dictation.end()
        let refused = try service.curl("/v1/dictation", ["-d", "{}"])
        await refused.end()
        #expect(refused.lines.joined().contains("examination"))
        // Broken afterwards: the denials of the last good version stay, and it is reported.
        try "deny: [[[".write(toFile: path, atomically: true, encoding: .utf8)
        let changes = try service.curl("/v1/authorization/changes")
        try await changes.line { $0.contains("exam.yaml") }
        let still = try service.curl("/v1/dictation", ["-d", "{}"])
        await still.end()
        #expect(still.lines.joined().contains(#""code":"restricted""#))
        try FileManager.default.removeItem(atPath: path)
        let allowed = #""microphone":{"grant":{"scope":"whileInUse"},"status":"authorized"}"#
        try await changes.line { $0.contains(allowed) }
        changes.signal(SIGKILL)
        #expect(try await service.records().contains { $0.kind == "policy.changed" })
    }

    @Test("unplugging ends the stream with deviceLost and says so")
    func unplug() async throws {
        let dictation = try await startedDictation()
        _ = FileManager.default.createFile(atPath: unplugged, contents: nil)
        let ended = try await dictation.line(where: StreamEvent.isOf("ended"))
        #expect(StreamEvent(ended)?.reason == "deviceLost")
        #expect((StreamEvent(ended)?.fields["message"] as? String)?.isEmpty == false)
    }

    @Test("a dictation that waits for its device pauses at unplugging and continues at replugging")
    func replug() async throws {
        let dictation = try await startedDictation(#"{"waitForDevice":true}"#)
        _ = FileManager.default.createFile(atPath: unplugged, contents: nil)
        try await dictation.line(where: StreamEvent.isOf("paused"))
        try FileManager.default.removeItem(atPath: unplugged)
        try await dictation.line(where: StreamEvent.isOf("resumed"))
        let before = dictation.lines.count(where: StreamEvent.isOf("partial"))
        try await dictation.lines(before + 1, where: StreamEvent.isOf("partial"))
        dictation.signal(SIGINT)
    }

    @Test("kill -9 of a recogniser in mid-sentence fails its session only; the next one starts from a warm one")
    func recognizerKilled() async throws {
        try await eventually { service.recognizers.count == 1 }
        let used = try #require(service.recognizers.first)
        let (victim, timeBefore) = try await timedDictation()
        let neighbour = try await startedDictation()
        kill(used, SIGKILL)
        let ended = try await victim.line(where: StreamEvent.isOf("ended"))
        #expect(StreamEvent(ended)?.reason == "failed")
        let partials = neighbour.lines.count(where: StreamEvent.isOf("partial"))
        try await neighbour.lines(partials + 1, where: StreamEvent.isOf("partial"))
        #expect(!neighbour.lines.contains(where: StreamEvent.isOf("ended")))
        let (next, timeAfter) = try await timedDictation()
        // It does not wait for the killed one's successor; the bound leaves room for a busy machine.
        #expect(timeAfter - timeBefore < .seconds(2), "\(timeBefore) before, \(timeAfter) after")
        #expect(try await service.records().contains { $0.kind == "recognizer.failed" })
        next.signal(SIGKILL)
        neighbour.signal(SIGKILL)
    }

    /// - Returns: a dictation that hears speech, and the time from its request to its start.
    private func timedDictation() async throws -> (dictation: RunningProgram, start: Duration) {
        let clock = ContinuousClock()
        let requested = clock.now
        let dictation = try service.curl("/v1/dictation", ["-d", "{}"])
        try await dictation.line(where: StreamEvent.isOf("started"))
        let start = clock.now - requested
        try await dictation.line(where: StreamEvent.isOf("partial"))
        return (dictation, start)
    }
}
