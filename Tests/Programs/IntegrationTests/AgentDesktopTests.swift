import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Agents on a desktop", .timeLimit(.minutes(3)))
struct AgentDesktopTests {
    let desktop: Desktop
    let service: ServiceUnderTest

    init() async throws {
        desktop = try await Desktop()
        service = try await ServiceUnderTest()
        try service.registerCurl()
    }

    private func agent() async throws -> RunningProgram {
        let agent = try RunningProgram(
            [Programs.commandLine, "agent", "--desktop", "--socket", service.socket],
            environment: service.environment.merging(desktop.environment) { $1 }, isForeground: false)
        try await agent.shows("Ctrl-C stops.")
        return agent
    }

    private func request() throws -> RunningProgram {
        try service.curl("/v1/authorization/requests", ["-d", #"{"resource":"microphone"}"#])
    }

    /// Presses a button after the first moments, in which it would not count; again when it did not.
    private func press(_ label: String, until end: RunningProgram) async throws {
        let pressing = Task {
            while !Task.isCancelled {
                try await Task.sleep(for: .milliseconds(900))
                // The notification may have gone between the two.
                try? await desktop.press(label)
            }
        }
        defer { pressing.cancel() }
        await end.end()
    }

    @Test("a notification with the four items asks, and its button answers")
    func answers() async throws {
        let agent = try await agent()
        let request = try request()
        try await desktop.shown.shows("would like to use the microphone")
        let text = desktop.shown.lines.joined(separator: "\n")
        for item in ["Collected:", "Purpose:", "Kept:", "Shared: with nobody", "“To try the socket.”"] {
            #expect(text.contains(item), "\(text)")
        }
        try await press("While using", until: request)
        #expect(request.lines.joined().contains(#""microphone":"authorized""#), "\(request.lines) \(agent.errorText)")
        let granted = try #require(try await service.records().first { $0.kind == "decision.granted" })
        #expect(granted.text("indication") == "desktop")
        #expect(granted.text("scope") == "whileInUse")
    }

    @Test("closing the notification is not an answer: the request ends and nothing is stored")
    func closing() async throws {
        let agent = try await agent()
        let request = try request()
        try await desktop.shown.shows("would like to use the microphone")
        try await desktop.close()
        await request.end()
        #expect(request.lines.joined().contains(#""code":"noAnswer""#), "\(agent.errorText)")
        #expect(try await !service.records().contains(where: \.isDecision))
    }

    @Test("when the program that asked has gone, its notification is withdrawn")
    func withdrawn() async throws {
        let agent = try await agent()
        let request = try request()
        try await desktop.shown.shows("would like to use the microphone")
        #expect(try await desktop.count() == 1)
        request.signal(SIGKILL)
        // The next is shown only after the first was withdrawn, so it stands alone.
        let other = try service.curl("/v1/authorization/requests", ["-d", #"{"resource":"speechRecognition"}"#])
        try await desktop.shown.shows("would like to use speech recognition")
        try await eventually { try await desktop.count() == 1 }
        try await press("Don't allow", until: other)
        #expect(other.lines.joined().contains(#""code":"denied""#), "\(agent.errorText)")
        #expect(try await service.records().filter(\.isDecision).map(\.kind) == ["decision.denied"])
    }

    @Test("a manifest's markup, backslashes and line ends draw nothing in the notification")
    func injection() async throws {
        try service.folder.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleIdentifier</key><string>org.example.curl</string>
            <key>CFBundleName</key><string>&lt;b&gt;Clock&lt;/b&gt;\\nAllowed</string>
            <key>CFBundleExecutable</key><string>\(Programs.curl)</string>
            <key>NSMicrophoneUsageDescription</key><string>&lt;a href="x"&gt;Time&lt;/a&gt;\\nKept: nothing</string>
            <key>VoiceGateRecipients</key><array><string>Everybody</string></array>
            </dict></plist>
            """, to: "clients/curl/Info.plist")
        let agent = try await agent()
        let request = try request()
        try await desktop.shown.shows("Shared: with Everybody")
        let text = desktop.shown.lines.joined(separator: "\n")
        #expect(
            text.contains(#"Time&lt;/a&gt;\nKept: nothing”"#) || text.contains(#"Time</a>\nKept: nothing”"#), "\(text)")
        #expect(desktop.shown.lines.count { $0.hasPrefix("│ Kept:") } == 1)
        #expect(!desktop.shown.lines.contains { $0.hasPrefix("Kept:") })
        request.signal(SIGKILL)
        agent.signal(SIGINT)
    }

    @Test("the service itself can ask on the desktop")
    func service() async throws {
        await service.stop()
        let own = try await ServiceUnderTest(
            options: ["--agent", "desktop"], continuing: service,
            within: ["/usr/bin/env"] + desktop.environment.filter { $0.key != "HOME" }.map { "\($0.key)=\($0.value)" })
        let request = try own.curl("/v1/authorization/requests", ["-d", #"{"resource":"microphone"}"#])
        try await desktop.shown.shows("would like to use the microphone")
        try await press("Once", until: request)
        #expect(request.lines.joined().contains(#""microphone":"authorized""#))
        let granted = try #require(try await own.records().first { $0.kind == "decision.granted" })
        #expect(granted.text("indication") == "desktop")
        #expect(granted.text("scope") == "once")
    }
}
