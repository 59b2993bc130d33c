import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("A. The model: once", .timeLimit(.minutes(5)))
struct OnceTests {
    private static let once = [#"{"client":"*","resource":"*","answer":"once"}"#]

    private func granted(_ service: ServiceUnderTest) async throws -> [Record] {
        try await service.records().filter { $0.kind == "decision.granted" }
    }

    @Test("A8 once permits all sessions of one process's use, each names the decision, and the next process asks again")
    func sessions() async throws {
        let microphone = VirtualMicrophone(name: "mic", file: HumanSpeech.goForward)
        let service = try await ServiceUnderTest(VirtualMicrophoneConfiguration([microphone]), answers: Self.once)
        try service.registerCurl()
        for number in 1...2 {
            // One process, two sessions, one after the other.
            let path = "http://voicegate/v1/dictation"
            let process = try service.curl(
                "/v1/dictation", [path, "-d", #"{"device":"mic","stopAfterSilence":1}"#])
            await process.end()
            #expect(process.lines.count(where: StreamEvent.isOf("ended")) == 2, "\(process.lines)")
            let records = try await service.records()
            let answers = records.filter { $0.kind == "decision.granted" }
            #expect(answers.count == 2 * number)
            #expect(answers.allSatisfy { $0.text("scope") == "once" })
            let sessions = records.filter { $0.kind == "session.started" }.suffix(2)
            // Dictionaries have no order: their descriptions may differ where they do not.
            let named = try sessions.map { try #require($0.fields["decisionRecords"] as? [String: Int]) }
            #expect(Set(named).count == 1, "\(named)")
            #expect(named.first?.count == 2)
            #expect(sessions.count == 2)
        }
        let status = try service.curl("/v1/authorization")
        await status.end()
        #expect(status.lines.joined().contains(#""microphone":"notDetermined""#))
        #expect(try await service.run(["audit", "verify"]).status == 0)
    }

    @Test("A8 between sessions once ends a while after its process left the foreground")
    func leavesForeground() async throws {
        let service = try await ServiceUnderTest(answers: Self.once, options: ["--once-in-background", "1"])
        try service.registerCurl()
        // curl keeps its process while it follows the changes and asks on another connection.
        let shell = try RunningProgram(
            ["/usr/bin/script", "-qefc", "stty -echo; PS1= exec bash --norc --noediting -i", "/dev/null"],
            environment: service.environment)
        try shell.type("PS1=; echo at-$((20 + 22))\n")
        try await shell.shows("at-42")
        let authorization = "http://voicegate/v1/authorization"
        try shell.type(
            "\(Programs.curl) -sN --parallel --parallel-immediate --unix-socket \(service.socket) "
                + "-d '{\"resource\":\"microphone\"}' \(authorization)/requests --next "
                + "-sN --unix-socket \(service.socket) \(authorization)/changes\n")
        try await shell.shows(#""scope":"once""#)
        try shell.type("\u{1A}")
        try await shell.shows("Stopped")
        try shell.type("bg\n")
        try await shell.shows(#""changed":{"microphone":{"status":"notDetermined"}}"#)
        #expect(try await granted(service).count == 1)
        try shell.type("kill %1\n")
        try shell.type("exit\n")
        await shell.end()
    }
}
