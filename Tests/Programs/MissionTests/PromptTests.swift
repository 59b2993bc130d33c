import Foundation
import Glibc
import ProgramSupport
import TestSupport
import Testing

@Suite("A. The model: prompts", .timeLimit(.minutes(5)))
struct PromptTests {
    private func agent(_ service: ServiceUnderTest) async throws -> RunningProgram {
        let agent = try service.atTerminal(["agent"])
        try await agent.shows("Ctrl-C stops.")
        return agent
    }

    private func request(_ service: ServiceUnderTest, _ body: String) throws -> RunningProgram {
        try service.curl("/v1/authorization/requests", ["-d", body])
    }

    private func decisions(_ service: ServiceUnderTest) async throws -> [String] {
        try await service.records().filter(\.isDecision).map(\.kind)
    }

    private func questions(_ service: ServiceUnderTest) async throws -> [String] {
        try await service.records().filter { $0.kind == "notice.shown" }.compactMap { $0.text("question") }
    }

    @Test(
        "A3 a request waits for the user's answer; without an agent, after a crash or an unknown answer it is refused and nothing is stored"
    )
    func requests() async throws {
        let service = try await ServiceUnderTest()
        try service.registerCurl()
        // No one to ask.
        let alone = try request(service, #"{"resource":"microphone"}"#)
        await alone.end()
        #expect(alone.lines.joined().contains(#""code":"noAnswer""#))
        // The agent crashes while it shows the prompt.
        let crashing = try await agent(service)
        let second = try request(service, #"{"resource":"microphone"}"#)
        try await crashing.shows("would like to use the microphone")
        #expect(second.lines.isEmpty)
        crashing.signal(SIGKILL)
        await second.end()
        #expect(second.lines.joined().contains(#""code":"noAnswer""#))
        // A key that means nothing answers nothing; the request goes on waiting until a key does.
        let person = try await agent(service)
        let third = try request(service, #"{"resource":"microphone"}"#)
        try await person.shows("] Later")
        for key in ["y", "\r", "a", "1"] { try person.type(key) }
        try await person.press("w", until: "Allowed while using.")
        await third.end()
        #expect(third.lines.joined().contains(#""microphone":"authorized""#))
        #expect(try await decisions(service) == ["decision.granted"])
        let standing = try service.curl("/v1/authorization")
        await standing.end()
        #expect(standing.lines.joined().contains(#""microphone":"authorized""#))
    }

    /// Sends each line of its input, `METHOD PATH BODY`, to the service, and prints status and lines of JSON.
    private static let speaker = """
        import socket, sys, threading
        def call(method, path, body):
            link = socket.socket(socket.AF_UNIX)
            link.connect(sys.argv[1])
            link.sendall(f"{method} {path} HTTP/1.1\\r\\nHost: v\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n{body}".encode())
            for line in link.makefile("r", newline="\\n"):
                if line.startswith(("{", "HTTP")): print(path, line.strip(), flush=True)
        for line in sys.stdin:
            method, path, body = (line.rstrip("\\n").split(" ", 2) + [""])[:3]
            threading.Thread(target=call, args=(method, path, body), daemon=True).start()
        """

    @Test(
        "A3 an answer that is unknown to the service, or that the prompt does not offer, counts for nothing and stores nothing"
    )
    func unknownAnswer() async throws {
        // Only VoiceGate's own command, the program beside the service, may answer. This one says what the test wants.
        let python = URL(fileURLWithPath: "/usr/bin/python3").resolvingSymlinksInPath().path
        let (service, own) = try await ServiceUnderTest.withCommand(python)
        try service.registerCurl()
        let script = try service.folder.write(Self.speaker, to: "speaker.py")
        let command = try RunningProgram([own, script, service.socket], environment: service.environment)
        try command.type("GET /v1/prompts?agent=terminal\n")
        try await command.shows(#""type":"listening""#)
        let request = try request(service, #"{"resource":"microphone"}"#)
        let shown = try await command.line { $0.contains(#""cookie":"#) }
        let cookie = try #require(shown.firstMatch(of: /"cookie":"([^"]+)"/)?.output.1)
        for answer in [#""perhaps""#, #""authorized""#, #""""#, "null", "1", #"["whileInUse"]"#, #""always""#] {
            let before = command.count(of: "/answer HTTP/1.1 4")
            try command.type("POST /v1/prompts/\(cookie)/answer {\"answer\":\(answer)}\n")
            try await command.shows("/answer HTTP/1.1", times: before + 1)
            #expect(command.count(of: "/answer HTTP/1.1 4") == before + 1, "\(answer): \(command.lines)")
        }
        #expect(request.lines.isEmpty)
        try command.type("POST /v1/prompts/\(cookie)/dismissal\n")
        await request.end()
        #expect(request.lines.joined().contains(#""code":"noAnswer""#))
        try command.type("GET /v1/audit/records\n")
        try await command.line { $0.contains("access.blocked") }
        #expect(command.count(of: "decision.") == command.count(of: "decision.asked"), "\(command.lines)")
        let status = try service.curl("/v1/authorization")
        await status.end()
        #expect(status.lines.joined().contains(#""microphone":"notDetermined""#))
        try command.closeInput()
    }

    /// A device that begins to speak when the test says so, and then is silent for a minute.
    private func microphone(_ folder: TemporaryFolder) throws -> VirtualMicrophone {
        var samples = try Data(contentsOf: URL(fileURLWithPath: Programs.goForward))
        samples.append(Data(count: 60 * 32_000))
        return VirtualMicrophone(name: "mic", file: try folder.write(samples, to: "speech.raw"))
    }

    @Test(
        "A7 the first prompt offers while using, once and don't allow; always is one question later, at a quiet moment, once",
        arguments: [
            (key: "a", outcome: "Allowed always.", scope: "always"), ("w", "Allowed while using.", "whileInUse"),
        ])
    func upgrade(key: String, outcome: String, scope: String) async throws {
        let folder = try TemporaryFolder()
        let microphones = try VirtualMicrophoneConfiguration([microphone(folder)])
        // So long must nothing have listened: for ever, to begin with.
        let first = try await ServiceUnderTest(microphones, options: ["--quiet-pause", "3600"])
        try first.registerCurl()
        let person = try await agent(first)
        let always = try request(first, #"{"resource":"microphone","scope":"always"}"#)
        try await person.shows("] Later")
        let choices = try #require(person.plainLines.first { $0.contains("[l]") })
        for choice in ["[w] While using", "[o] Once", "[d] Don't allow"] { #expect(choices.contains(choice)) }
        #expect(!choices.contains("[a]"))
        try await person.press("w", until: "Allowed while using.")
        await always.end()
        #expect(always.lines.joined().contains(#""microphone":"authorized""#))
        #expect(try await first.records().map(\.kind).contains("decision.upgradeRequested"))
        try await first.run(["settings", "org.example.curl", "--allow", "speechRecognition"])
        await first.stop()

        let second = try await ServiceUnderTest(options: ["--quiet-pause", "0.2"], continuing: first)
        let session = try second.curl("/v1/dictation", ["-d", "{}"])
        try await session.line(where: StreamEvent.isOf("started"))
        let asked = try await agent(second)
        // Long enough for many looks at whether it is quiet.
        try await session.line(where: StreamEvent.isOf("final"))
        #expect(asked.count(of: "also when you are not using it") == 0)
        session.signal(SIGINT)
        try await asked.shows("also when you are not using it")
        try await asked.shows("Change to always")
        let offered = try #require(asked.plainLines.last { $0.contains("[a]") })
        for choice in ["[w] Keep while using", "[a] Change to always"] { #expect(offered.contains(choice)) }
        for choice in ["[o]", "[d]", "[l]"] { #expect(!offered.contains(choice)) }
        try await asked.press(key, until: outcome)
        let records = try await second.records()
        let kinds = records.map { $0.text("question") ?? $0.kind }
        let stopped = try #require(kinds.lastIndex(of: "session.stopped"))
        let shown = try #require(kinds.firstIndex(of: "upgradeToAlways"))
        #expect(stopped < shown)
        let answers = ["decision.granted", "decision.renewed"]
        let granted = try #require(records.last { answers.contains($0.kind) })
        #expect(granted.text("scope") == scope)
        #expect(granted.text("indication") == "agent")
        await second.stop()

        // Never again, also after a restart: the next quiet moment brings only another client's question.
        let third = try await ServiceUnderTest(options: ["--quiet-pause", "0.2"], continuing: second)
        let again = try request(third, #"{"resource":"microphone","scope":"always"}"#)
        await again.end()
        #expect(again.lines.joined().contains(#""microphone":"authorized""#))
        let later = try await agent(third)
        let own = try third.atTerminal(["request", "microphone", "--always"])
        try await own.shows("] Later")
        try await own.press("w", until: "Allowed while using.")
        try await later.shows("also when you are not using it")
        try await later.press("w", until: "Allowed while using.")
        #expect(later.count(of: "also when you are not using it") == 1)
        #expect(try await questions(third).count { $0 == "upgradeToAlways" } == 2)
        #expect(
            try await third.records().count {
                $0.text("question") == "upgradeToAlways" && $0.kind == "notice.shown"
                    && $0.text("client") == "org.example.curl"
            } == 1)
    }

    @Test("B4 no prompt is shown before a session needs it; then speech recognition comes first, the microphone second")
    func late() async throws {
        let folder = try TemporaryFolder()
        let service = try await ServiceUnderTest(VirtualMicrophoneConfiguration([microphone(folder)]))
        for command in [["status"], ["settings"], ["devices"], ["audit", "verify"]] {
            #expect(try await service.run(command).status == 0)
        }
        #expect(try await questions(service).isEmpty)
        let dictation = try service.atTerminal(["dictate", "--stop-after-silence", "1"])
        try await dictation.shows("would like to use speech recognition")
        #expect(dictation.count(of: "the microphone") == 0)
        try await dictation.press("w", until: "Allowed while using.")
        try await dictation.shows("would like to use the microphone")
        try await dictation.press("w", until: "Allowed while using.")
        try await dictation.shows("Listening")
        #expect(await dictation.end() == 0)
        let shown = try await service.records().filter { $0.kind == "notice.shown" }.compactMap { $0.text("resource") }
        #expect(shown == ["speechRecognition", "microphone"])
    }

    @Test("B8 reset revokes one resource, one client, or all, and the next request asks again")
    func reset() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        func statuses() async throws -> [String] {
            let reply = try service.curl("/v1/authorization")
            #expect(await reply.end() == 0, "\(reply.errorText)")
            let own = try await service.run(["status", "--json"])
            #expect(own.status == 0, "\(own.errors)")
            return [reply.lines, own.output].map { lines in
                let text = lines.joined()
                return ["speechRecognition", "microphone"].map { resource in
                    let known = ["authorized", "notDetermined", "denied", "restricted"]
                    // An answer without a status, such as an error, as it is.
                    return known.first { text.contains("\"\(resource)\":\"\($0)\"") }?.prefix(3) ?? text[...]
                }.joined(separator: " ")
            }
        }
        func allowAll() async throws {
            let curl = try request(service, "{}")
            await curl.end()
            #expect(curl.lines.joined().contains(#""microphone":"authorized""#), "\(curl.lines)")
            #expect(try await service.run(["request"]).status == 0)
        }
        func takeBack(_ options: [String]) async throws {
            let (status, _, errors) = try await service.run(["reset"] + options)
            try #require(status == 0, "\(errors)")
        }
        try await allowAll()
        #expect(try await statuses() == ["aut aut", "aut aut"])
        try await takeBack(["microphone", "--client", "org.example.curl"])
        #expect(try await statuses() == ["aut not", "aut aut"])
        try await allowAll()
        try await takeBack(["--client", "org.example.curl"])
        #expect(try await statuses() == ["not not", "aut aut"])
        try await allowAll()
        try await takeBack(["--all"])
        #expect(try await statuses() == ["not not", "not not"])
        let before = try await questions(service).count
        try await allowAll()
        #expect(try await questions(service).count == before + 4)
    }
}
