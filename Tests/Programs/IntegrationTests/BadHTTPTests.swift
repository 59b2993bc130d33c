import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Bad HTTP is an error or the end of its connection, and the service keeps serving", .timeLimit(.minutes(5)))
struct BadHTTPTests {
    private struct Told: Decodable {
        let name: String
        var status: Int?
        var answers: Int?
        var text: String?
        var sent: Int?
        var closed: Int?
    }

    /// What each comes to; `nil`: closed without an answer.
    private static let expected: [String: Int?] = [
        "nothing at all": nil, "half a request": 400, "no HTTP": 400, "half-closed behind its request": 200,
        "a hundred at once": 200, "a length and chunks": 400, "two lengths": 400, "a length below nothing": 400,
        "chunks without a size": 400, "a body that is cut off": 400, "a header's bytes, one a second": nil,
        "endless headers": 400, "an endless header": 400, "an endless first line": 400,
        "form: an endless field": 413, "form: no boundary": 400, "form: a boundary of 71": 400,
        "form: another boundary": 400, "form: no file": 400, "form: two files": 400, "form: cut off": 400,
        "form: 65 parts": 413, "form: a long field": 413, "form: no UTF-8": 400, "form: prompt behind the file": 400,
        "form: language behind the file": 400, "form: the rest behind the file": 200,
    ]

    private func descriptors(_ service: ServiceUnderTest) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(service.program.processIdentifier)/fd").count
    }

    @Test("malformed, endless, slow, half-closed, and a thousand that say nothing")
    func badRequests() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let before = try descriptors(service)
        let tool = Checkout.root.appending(path: "Tests/Support/Tools/bad_http.py")
        let script = try service.registerScript(String(contentsOf: tool, encoding: .utf8), name: "bad")
        let wav = try service.folder.write(
            HumanSpeech.wav(try HumanSpeech.samples(Programs.goForward), sampleRate: 16_000, channels: 1), to: "a.wav")
        let program = try RunningProgram(["/usr/bin/python3", script, service.socket, wav], environment: [:])
        try await program.line { $0.contains(#""idle""#) }

        let told = try program.lines.map { try JSONDecoder().decode(Told.self, from: Data($0.utf8)) }
        for (name, status) in Self.expected {
            let found = try #require(told.first { $0.name == name }, "\(name)")
            #expect(found.status == status, "\(name): \(found)")
        }
        #expect(Set(told.map(\.name)) == Set(Self.expected.keys).union(["idle"]))
        #expect(told.first { $0.name == "a hundred at once" }?.answers == 100)
        for found in told where found.name.contains("endless") {
            #expect(found.sent ?? 0 < 10_000_000, "\(found)")
        }
        #expect(told.first { $0.name == "form: prompt behind the file" }?.text?.contains("Put the file last") == true)
        #expect(told.first { $0.name == "form: the rest behind the file" }?.text?.contains("go forward ten") == true)

        // A thousand connections say nothing, and others are served all the same.
        #expect(told.last?.closed ?? 0 >= 936)
        let status = try await service.run(["status", "--json"])
        #expect(status.status == 0, "\(status)")
        try service.registerCurl()
        let curl = try service.curl("/v1/health")
        await curl.end()
        #expect(curl.lines.joined().contains("\"processIdentifier\":\(service.program.processIdentifier)"))

        try program.closeInput()
        await program.end()
        // Each gives back what it held; the service says so by itself, and the suite's limit bounds the wait.
        while try descriptors(service) > before + 16 { try await Task.sleep(for: .milliseconds(50)) }
    }

    @Test("a large form of somebody who is refused gets its refusal")
    func refusedUpload() async throws {
        let service = try await ServiceUnderTest(answers: [#"{"client":"*","resource":"*","answer":"deny"}"#])
        try service.registerCurl()
        let large = service.folder.path + "/large.wav"
        _ = FileManager.default.createFile(atPath: large, contents: nil)
        try FileHandle(forWritingTo: URL(fileURLWithPath: large)).truncate(atOffset: 50 << 20)
        let curl = try service.curl(
            "/v1/audio/transcriptions", ["-F", "model=whisper-1", "-F", "file=@\(large)", "-w", "\n%{http_code}"])
        #expect(await curl.end() == 0)
        #expect(curl.lines.last == "403")
        #expect(curl.lines.joined().contains(#""code":"permission_denied""#), "\(curl.lines)")
    }

    /// Sends the beginning of a file, waits, and prints the answer's first line; of a stream all lines.
    private func stalledUpload(
        to service: ServiceUnderTest, isForm: Bool, streams: Bool = false
    ) throws -> RunningProgram {
        let script = try service.registerScript(
            """
            import socket, sys
            part = b'--b\\r\\nContent-Disposition: form-data; name="%s"\\r\\n\\r\\n%s'
            is_form, streams = (word == "true" for word in sys.argv[2:4])
            form = (part % (b"stream", b"true\\r\\n") if streams else b"") + part % (b"file", b"") if is_form else b""
            kind = b"multipart/form-data; boundary=b" if form else b"audio/wav"
            sound = form + open(sys.argv[4], "rb").read()[:60000]
            connection = socket.socket(socket.AF_UNIX)
            connection.connect(sys.argv[1])
            connection.sendall(b"POST /v1/audio/transcriptions HTTP/1.1\\r\\nHost: v\\r\\nContent-Length: 90000\\r\\n")
            connection.sendall(b"Content-Type: " + kind + b"\\r\\n\\r\\n" + sound)
            print("sent", flush=True)
            for line in connection.makefile():
                print(line.strip(), flush=True)
                # The last chunk has no bytes.
                if not streams or line.strip() == "0":
                    break
            """, name: "stalled")
        let wav = try service.folder.write(
            HumanSpeech.wav(try HumanSpeech.samples(Programs.goForward), sampleRate: 16_000, channels: 1), to: "a.wav")
        return try RunningProgram(
            ["/usr/bin/python3", script, service.socket, "\(isForm)", "\(streams)", wav], environment: [:])
    }

    @Test(
        "when a permission ends during an upload the client gets the error, and its connection stays usable",
        arguments: [true, false], [["reset", "speechRecognition", "--client", "org.example.stalled"], ["mute"]])
    func revokedUpload(_ isForm: Bool, _ end: [String]) async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let stalled = try stalledUpload(to: service, isForm: isForm)
        try await stalled.line { $0 == "sent" }
        while try await !service.records().contains(where: { $0.kind == "session.started" }) {
            try await Task.sleep(for: .milliseconds(50))
        }
        let ended = try await service.run(end)
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(try await stalled.line { $0.hasPrefix("HTTP/1.1") } == "HTTP/1.1 403 Forbidden")
        let status = try await service.run(["status", "--json"])
        #expect(status.status == 0, "\(status.errors)")
    }

    @Test("when a permission ends during a streamed transcript, its last event is the error, as OpenAI sends it")
    func revokedStream() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let stalled = try stalledUpload(to: service, isForm: true, streams: true)
        try await stalled.line { $0 == "HTTP/1.1 200 OK" }
        #expect(try await service.run(["mute"]).status == 0)
        #expect(await stalled.end() == 0, "\(stalled.lines)")
        let events = stalled.lines.filter { $0.hasPrefix("data: ") }
        let last = try JSONSerialization.jsonObject(with: Data((events.last ?? "").dropFirst(6).utf8)) as? [String: Any]
        let error = last?["error"] as? [String: Any]
        #expect(last?.count == 1 && error?["code"] as? String == "permission_denied", "\(events)")
        #expect(error?["reason"] as? String == "notAllowed", "\(events)")
        #expect(!events.contains { $0.contains("transcript.text.done") }, "\(events)")
    }
}
