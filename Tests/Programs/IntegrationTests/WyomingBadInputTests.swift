import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Bad input at the Wyoming socket is an error, and the service keeps serving", .timeLimit(.minutes(4)))
struct WyomingBadInputTests {
    private static let rude = "Tests/Support/Tools/wyoming_rude.py"

    private func rude(patience: Double = 3) async throws -> (WyomingClients, script: String) {
        let service = try await ServiceUnderTest(
            answers: ServiceUnderTest.yesToAll, options: ["--wyoming-patience", "\(patience)"], model: .english)
        let clients = try await WyomingClients(service)
        return (clients, try clients.register(Self.rude, name: "rude"))
    }

    private func expectServing(_ clients: WyomingClients) async throws {
        let example = try clients.register("Documentation/Examples/wyoming/transcribe.py", name: "transcribe")
        let run = try clients.run(example, ["--uri", "unix://" + clients.socket, Programs.librivox("0880")])
        #expect(await run.end() == 0, "\(run.errorText)")
        #expect(run.lines == ["he was not until exposed young man"])
    }

    private static let refused: [(name: String, code: String)] = [
        ("a payload that is never sent", "clientGone"), ("a payload without bounds", "badRequest"),
        ("data without bounds", "badRequest"), ("a length below nothing", "badRequest"),
        ("a length that is not a number", "badRequest"), ("a length with a fraction", "badRequest"),
        ("a header without end", "badRequest"), ("a header that is not JSON", "badRequest"),
        ("a header that is a list", "badRequest"), ("a header without a type", "badRequest"),
        ("another protocol", "badRequest"), ("data that is a list", "badRequest"),
        ("data that nests without end", "badRequest"), ("bytes of no text", "badRequest"),
        ("audio without a format", "badAudio"), ("a start within audio", "badRequest"),
        ("a rate that changes", "badAudio"), ("an absurd rate", "badAudio"),
        ("a rate that nothing can read", "badAudio"), ("no channels", "badAudio"), ("a width of nine", "badAudio"),
        ("terms that are not texts", "badRequest"), ("too many terms", "invalidValue"),
        ("another language", "invalidValue"),
        ("an end in the middle of an event", "clientGone"), ("an end in the middle of audio", "clientGone"),
        ("nothing", "clientStalled"), ("half an event", "clientStalled"), ("audio that stops coming", "clientStalled"),
    ]

    @Test("input that breaks the protocol, has a false length or never arrives gets one error and ends the connection")
    func refused() async throws {
        let (clients, script) = try await rude()
        for (name, code) in Self.refused {
            let run = try clients.run(script, [clients.socket, name, Programs.librivox("0880")])
            #expect(await run.end() == 0, "\(name): \(run.errorText)")
            #expect(run.lines.last == "closed", "\(name): \(run.lines)")
            let errors = run.lines.compactMap { StreamEvent($0) }.filter { $0.type == "error" }
            #expect(errors.count == 1, "\(name): \(run.lines)")
            #expect(errors.first?.fields["code"] as? String == code, "\(name): \(run.lines)")
            #expect(errors.first?.text?.isEmpty == false)
        }
        try await expectServing(clients)
        let records = try await clients.service.records()
        let begun = records.filter { $0.kind == "session.started" }.compactMap { $0.text("session") }
        let ended = records.filter { $0.kind == "session.stopped" }.compactMap { $0.text("session") }
        #expect(begun.sorted() == ended.sorted(), "a session that was begun is ended and recorded")
        #expect(!records.contains { $0.kind == "recognizer.failed" })
    }

    @Test("a recording without samples is an empty text; audio needs no start, and counts in the format of its chunks")
    func lenient() async throws {
        let (clients, script) = try await rude()
        let words = "he was not until exposed young man"
        for (name, text) in [
            ("no audio", ""), ("an empty chunk", ""), ("audio without its start", words),
            ("a request after the start", words), ("a start of another rate", words),
        ] {
            let run = try clients.run(script, [clients.socket, name, Programs.librivox("0880")])
            #expect(await run.end() == 0, "\(name): \(run.errorText)")
            let events = run.lines.compactMap { StreamEvent($0) }
            #expect(events.last { $0.type == "transcript" }?.text == text, "\(name): \(run.lines)")
            #expect(events.last?.type == "transcript-stop", "\(name): \(run.lines)")
        }
        let sessions = try await clients.service.records().filter { $0.kind == "session.started" }
        #expect(sessions.count == 3, "nothing is recognised without samples")
    }

    @Test("a client that stops sending, but reads, gets its text; events of other services are ignored")
    func halfClosed() async throws {
        let (clients, script) = try await rude()
        let half = try clients.run(script, [clients.socket, "an end behind the audio", Programs.librivox("0880")])
        #expect(await half.end() == 0)
        let types = half.lines.compactMap { StreamEvent($0)?.type }
        #expect(types == ["transcript-start", "transcript-chunk", "transcript", "transcript-stop"])
        #expect(half.lines.last == "closed")
        let noise = try clients.run(script, [clients.socket, "noise of other events"])
        #expect(await noise.end() == 0)
        #expect(noise.lines.count == 2 && noise.lines.first?.contains("still there") == true, "\(noise.lines)")
    }

    @Test("a thousand silent connections do not shut out others, and are closed")
    func idleConnections() async throws {
        let (clients, _) = try await rude(patience: 8)
        let script = try clients.service.registerScript(
            """
            import select, socket
            connections = []
            for _ in range(1000):
                connection = socket.socket(socket.AF_UNIX)
                connection.setblocking(False)
                try:
                    connection.connect("\(clients.socket)")
                except BlockingIOError:
                    connection.setblocking(True)
                    connection.connect("\(clients.socket)")
                connections.append(connection)
            print("connected", flush=True)
            input()
            for connection in connections:
                connection.setblocking(True)
                try:
                    while connection.recv(4096):
                        pass
                except ConnectionError:
                    pass
            print("all closed", flush=True)
            """, name: "idle")
        let idle = try clients.run(script, [])
        try await idle.line { $0 == "connected" }
        try await expectServing(clients)
        try idle.type("\n")
        try await idle.line { $0 == "all closed" }
        try await expectServing(clients)
    }

    @Test("a revoked permission ends a transcription that is under way, and says so")
    func revoked() async throws {
        let (clients, _) = try await rude(patience: 30)
        let script = try clients.service.registerScript(
            """
            import json, socket, time
            connection = socket.socket(socket.AF_UNIX)
            connection.connect("\(clients.socket)")
            data = b'{"rate":16000,"width":2,"channels":1}'
            head = b'{"type":"%s","data_length":37,"payload_length":%d}\\n'
            connection.sendall(head % (b"audio-start", 0) + data)
            connection.sendall(head % (b"audio-chunk", 32000) + data + bytes(32000))
            print("sent", flush=True)
            print(connection.makefile("rb").read().decode(), flush=True)
            """, name: "waiting")
        let waiting = try clients.run(script, [])
        try await waiting.line { $0 == "sent" }
        while try await !clients.service.records().contains(where: { $0.kind == "session.started" }) {
            try await Task.sleep(for: .milliseconds(50))
        }
        let reset = try await clients.service.run(["reset", "speechRecognition", "--client", "org.example.waiting"])
        #expect(reset.status == 0, "\(reset.errors)")
        #expect(await waiting.end() == 0)
        // Between its record and the recogniser's start it is told the new status.
        let told = waiting.lines.joined()
        #expect(["notAllowed", "notDetermined"].contains { told.contains(#""code":"\#($0)""#) }, "\(told)")
        let stopped = try #require(try await clients.service.records().last { $0.kind == "session.stopped" })
        #expect(stopped.text("reason") == "revoked")
    }
}
