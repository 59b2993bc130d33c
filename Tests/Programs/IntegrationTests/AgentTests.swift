import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Agents at terminals", .timeLimit(.minutes(3)))
struct AgentTests {
    let service: ServiceUnderTest

    init() async throws {
        service = try await ServiceUnderTest()
        try service.registerCurl()
    }

    private func agent() async throws -> RunningProgram {
        let agent = try service.atTerminal(["agent"])
        try await agent.shows("Ctrl-C stops.")
        return agent
    }

    private func request(_ resource: String = "microphone") throws -> RunningProgram {
        try service.curl("/v1/authorization/requests", ["-d", #"{"resource":"\#(resource)"}"#])
    }

    @Test("an agent answers for a program without a terminal, and the record says so")
    func answers() async throws {
        let agent = try await agent()
        let request = try request()
        try await agent.shows("would like to use the microphone")
        try await agent.press("w", until: "Allowed while using.")
        #expect(await request.end() == 0)
        #expect(request.lines.joined().contains(#""microphone":"authorized""#))
        for word in ["Collected", "Purpose", "Kept", "Shared"] { #expect(agent.count(of: word) == 1) }
        let granted = try #require(try await service.records().first { $0.kind == "decision.granted" })
        #expect(granted.text("indication") == "agent")
        #expect(granted.text("client") == "org.example.curl")
        agent.signal(SIGINT)
    }

    @Test("without an agent the request is refused at once, no prompt is shown, and nothing is stored")
    func nobody() async throws {
        let request = try request()
        await request.end()
        #expect(request.lines.joined().contains(#""code":"noAnswer""#))
        #expect(try await !service.records().contains { $0.kind == "notice.shown" })
    }

    @Test("the agent does not get the prompt of a program that has its own terminal")
    func ownTerminalFirst() async throws {
        let agent = try await agent()
        let own = try service.atTerminal(["request", "microphone"])
        try await own.shows("would like to use the microphone")
        try await own.press("d", until: "Not allowed.")
        #expect(await own.end() == 77)
        #expect(agent.count(of: "would like") == 0)
        let denied = try #require(try await service.records().first { $0.kind == "decision.denied" })
        #expect(denied.text("indication") == "terminal")
    }

    @Test("an answer that cannot be recorded is reported where it was given; one that is recorded survives a kill")
    func acknowledged() async throws {
        let agent = try await agent()
        // The service does not write into a log that is not where it was.
        let log = service.stateDirectory + "/consent.sqlite"
        let first = try request()
        try await agent.shows("would like to use the microphone")
        try FileManager.default.moveItem(atPath: log, toPath: log + ".away")
        try await agent.press("d", until: "Your answer was not delivered")
        await first.end()
        #expect(first.lines.joined().contains(#""code":"recordingFailed""#), "\(first.lines)")
        try FileManager.default.moveItem(atPath: log + ".away", toPath: log)

        let second = try request("speechRecognition")
        try await agent.shows("would like to use speech recognition")
        try await agent.press("d", until: "Not allowed.")
        await second.end()
        service.program.signal(SIGKILL)
        await service.program.end()
        #expect(agent.count(of: "Your answer was not delivered") == 1)
        let next = try await ServiceUnderTest(continuing: service)
        #expect(try await next.records().filter(\.isDecision).map { $0.text("resource") } == ["speechRecognition"])
    }

    @Test("prompts of several programs are answered one after the other")
    func several() async throws {
        let agent = try await agent()
        let first = try request("microphone")
        try await agent.shows("would like to use the microphone")
        let second = try request("speechRecognition")
        try await agent.press("w", until: "Allowed while using.")
        try await agent.shows("would like to use speech recognition")
        try await agent.press("d", until: "Not allowed.")
        await first.end()
        await second.end()
        #expect(first.lines.joined().contains(#""microphone":"authorized""#))
        #expect(second.lines.joined().contains(#""code":"denied""#))
    }

    @Test("the prompt of an agent that dies goes to the next one; without another it is withdrawn")
    func dies() async throws {
        let (first, second) = (try await agent(), try await agent())
        let request = try request()
        for agent in [first, second] { try await agent.shows("would like to use the microphone") }
        first.signal(SIGKILL)
        await first.end()
        second.signal(SIGKILL)
        await request.end()
        #expect(request.lines.joined().contains(#""code":"noAnswer""#))
        #expect(try await !service.records().contains(where: \.isDecision))

        let third = try await agent()
        let again = try self.request()
        try await third.shows("would like to use the microphone")
        try await third.press("w", until: "Allowed while using.")
        #expect(await again.end() == 0)
        #expect(again.lines.joined().contains(#""microphone":"authorized""#))
    }

    @Test("the prompt of a program that ended is withdrawn, and the agent continues")
    func withdrawn() async throws {
        let agent = try await agent()
        let request = try request()
        try await agent.shows("would like to use the microphone")
        request.signal(SIGKILL)
        try await agent.shows("No answer; nothing is allowed.")
        let other = try self.request("speechRecognition")
        try await agent.shows("would like to use speech recognition")
        try await agent.press("d", until: "Not allowed.")
        await other.end()
        #expect(other.lines.joined().contains(#""code":"denied""#))
    }

    @Test("leaving a prompt at the only agent is not an answer, and the request ends at once")
    func leaving() async throws {
        let agent = try await agent()
        let request = try request()
        try await agent.shows("would like to use the microphone")
        try await agent.press("\u{04}", until: "No answer; nothing is allowed.")
        await request.end()
        #expect(request.lines.joined().contains(#""code":"noAnswer""#))
        #expect(try await !service.records().contains(where: \.isDecision))
    }

    @Test("without a terminal, and without a desktop, an agent says so and does not run")
    func cannotAsk() async throws {
        let noTerminal = try await service.run(["agent"])
        #expect(noTerminal.status == 69)
        #expect(noTerminal.errors.contains("need a terminal"))
        let noDesktop = try await service.run(["agent", "--desktop"])
        #expect(noDesktop.status == 69)
        #expect(noDesktop.errors.contains("notification"))
    }

    @Test("a client that prefers to be asked about its phrases lets the person choose them at the prompt")
    func fidelity() async throws {
        try service.folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>org.example.curl</string>
            <key>CFBundleExecutable</key><string>\(Programs.curl)</string>
            <key>NSSpeechRecognitionUsageDescription</key><string>To switch the lights.</string>
            <key>VoiceGatePhrases</key><array><string>lights on</string></array>
            <key>VoiceGateRecipients</key><array/>
            </dict></plist>
            """, to: "clients/curl/Info.plist")
        let agent = try await agent()
        let request = try request("speechRecognition")
        try await agent.shows("[f] every word")
        try await agent.press("f", until: "[f] only its phrases")
        try await agent.press("w", until: "Allowed while using.")
        await request.end()
        let granted = try #require(try await service.records().first { $0.kind == "decision.granted" })
        #expect(granted.text("fidelity") == "reduced")
    }
}
