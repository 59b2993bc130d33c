import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Wyoming, with the protocol's own library", .timeLimit(.minutes(3)))
struct WyomingDoorTests {
    private static let example = "Documentation/Examples/wyoming/transcribe.py"
    private static let words = "he was not until exposed young man"

    private func transcriber(
        _ answers: [String] = ServiceUnderTest.yesToAll, configuration: String = ""
    ) async throws -> (WyomingClients, script: String) {
        let folder = try TemporaryFolder()
        let file = try folder.write(configuration + "warmRecognizers: 0\nfileRecognizers: 1\n", to: "config.yaml")
        let service = try await ServiceUnderTest(answers: answers, options: ["--configuration", file])
        let clients = try await WyomingClients(service)
        return (clients, try clients.register(Self.example, name: "transcribe"))
    }

    @Test("a client asks what there is, sends two recordings over one connection, and gets a person's words twice")
    func transcribes() async throws {
        let (clients, script) = try await transcriber()
        let uri = ["--uri", "unix://" + clients.socket]
        let before = try clients.run(script, uri + ["--describe"])
        #expect(await before.end() == 0)
        #expect(before.lines.first?.hasSuffix("en-us (en-US)") == true, "\(before.lines)")
        #expect(before.lines.last == "org.example.transcribe: speechRecognition notDetermined")
        #expect(
            try await !clients.service.records().contains { $0.kind == "notice.shown" },
            "describe shows no prompt")

        let run = try clients.run(script, uri + [Programs.librivox("0880"), Programs.librivox("0880")])
        #expect(await run.end() == 0, "\(run.errorText)")
        #expect(run.lines == [Self.words, Self.words])
        let after = try clients.run(script, uri + ["--describe"])
        await after.end()
        #expect(after.lines.last == "org.example.transcribe: speechRecognition authorized")

        let sessions = try await clients.service.records().filter { $0.kind == "session.started" }
        #expect(sessions.count == 2)
        for session in sessions {
            #expect(session.fields["device"] is NSNull)
            #expect((session.fields["grants"] as? [String: Any])?.keys.sorted() == ["speechRecognition"])
        }
    }

    @Test("finished text is streamed, with the client's terms and its region of the language")
    func streams() async throws {
        let (clients, script) = try await transcriber()
        let run = try clients.run(
            script,
            ["--uri", "unix://" + clients.socket, "--stream", "--language", "en-GB", "--term", "young man"]
                + [Programs.librivox("0870"), Programs.librivox("0880")])
        #expect(await run.end() == 0, "\(run.errorText)")
        #expect(run.lines.count >= 2)
        #expect(run.lines.last?.hasSuffix("young man") == true, "\(run.lines)")
    }

    @Test("a person's denial is obeyed: the code says why, and nothing was listened to")
    func refused() async throws {
        let (clients, script) = try await transcriber([#"{"client":"*","resource":"*","answer":"deny"}"#])
        for _ in 1...2 {
            let run = try clients.run(script, ["--uri", "unix://" + clients.socket, Programs.librivox("0880")])
            #expect(await run.end() == 77)
            #expect(run.errorText.contains("(denied)"), "\(run.errorText)")
            #expect(run.lines.isEmpty)
        }
        let kinds = try await clients.service.records().map(\.kind)
        #expect(!kinds.contains("session.started"))
        #expect(kinds.count { $0 == "notice.shown" } == 1, "a denial is not asked about again")
    }

    @Test("a program without a manifest is refused")
    func unknownProgram() async throws {
        let (clients, _) = try await transcriber()
        let script = Checkout.root.appending(path: Self.example).path
        let run = try clients.run(script, ["--uri", "unix://" + clients.socket, Programs.librivox("0880")])
        #expect(await run.end() == 77)
        #expect(run.errorText.contains("To write one: voicegate manifest new"), "\(run.errorText)")
        #expect(try await !clients.service.records().contains { $0.kind == "session.started" })
    }

    @Test("another rate, width and number of channels is read")
    func formats() async throws {
        let (clients, script) = try await transcriber()
        let sound = try HumanSpeech.samples(HumanSpeech.goForward)
        let stereo = HumanSpeech.wav(
            sound.flatMap { [$0, $0, $0, $0, $0, $0] }, sampleRate: 48_000, channels: 2)
        let file = try clients.service.folder.write(stereo, to: "stereo.wav")
        let run = try clients.run(script, ["--uri", "unix://" + clients.socket, file])
        #expect(await run.end() == 0, "\(run.errorText)")
        #expect(run.lines.last?.contains("forward") == true, "\(run.lines)")
    }

    @Test("TCP is served where it is configured, to this machine's own programs, known by the kernel's word")
    func tcp() async throws {
        let port = try FreePort.find()
        let (clients, script) = try await transcriber(configuration: "wyoming:\n  tcp: 127.0.0.1:\(port)\n")
        let run = try clients.run(script, ["--uri", "tcp://127.0.0.1:\(port)", Programs.librivox("0880")])
        #expect(await run.end() == 0, "\(run.errorText)")
        #expect(run.lines == [Self.words])
        let started = try #require(try await clients.service.records().last { $0.kind == "session.started" })
        #expect(started.text("client") == "org.example.transcribe")
        #expect(started.mentions(script), "the script itself, and not its interpreter: \(started.fields)")
    }

    @Test("a TCP connection that two processes share has no owner and is refused")
    func sharedConnection() async throws {
        let port = try FreePort.find()
        let (clients, _) = try await transcriber(configuration: "wyoming:\n  tcp: 127.0.0.1:\(port)\n")
        let script = try clients.service.registerScript(
            """
            import os, socket, time
            connection = socket.socket()
            child = os.fork()
            if child == 0:
                time.sleep(60)
            connection.connect(("127.0.0.1", \(port)))
            connection.sendall(b'{"type": "describe"}\\n')
            print(connection.makefile("rb").readline().decode(), end="", flush=True)
            os.kill(child, 9)
            """, name: "shared")
        let run = try clients.run(script, [])
        try await run.line { $0.contains("error") }
        #expect(run.lines.count == 1)
    }

    @Test(
        "an address that is not only this machine's is refused at the start",
        arguments: ["0.0.0.0:10300", "192.0.2.1:10300", "x:1"])
    func notLoopback(_ address: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("wyoming:\n  tcp: \"\(address)\"\n", to: "config.yaml")
        let program = try RunningProgram(
            [
                Programs.service, "--socket", folder.path + "/run/s", "--state-directory", folder.path + "/state",
                "--configuration", file,
            ], environment: ["HOME": folder.path], isForeground: false)
        #expect(await program.end() == 78)
        #expect(program.errorText.contains("such as 127.0.0.1:10300"), "\(program.errorText)")
    }
}
