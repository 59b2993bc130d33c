import ProgramSupport
import TestSupport
import Testing

@Suite("A file that comes with pauses", .timeLimit(.minutes(1)))
struct TranscribePauseTests {
    /// The file through a pipe, with a pause in its middle.
    ///
    /// - Parameter pause: a command.
    private func transcribe(_ service: ServiceUnderTest, pausing pause: String) throws -> RunningProgram {
        try RunningProgram(
            [
                "/bin/sh", "-c",
                #"( head -c 40000 "$2"; \#(pause); tail -c +40001 "$2" ) | "$0" transcribe - --socket "$1""#,
                Programs.commandLine, service.socket, Programs.librivox("0880"),
            ], environment: service.environment)
    }

    private func service(_ options: String...) async throws -> ServiceUnderTest {
        try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll, options: options)
    }

    private func endings(_ service: ServiceUnderTest) async throws -> [String] {
        try await service.records().filter { $0.kind == "session.stopped" }.compactMap { $0.text("reason") }
    }

    @Test("a pipe may pause longer than a connection may be idle")
    func slow() async throws {
        let service = try await service("--idle-timeout", "1")
        let slow = try transcribe(service, pausing: "sleep 2")
        #expect(await slow.end() == 0, "\(slow.errorText)")
        #expect(slow.lines.joined(separator: " ").contains("young man"), "\(slow.lines)")
        #expect(try await endings(service) == ["ended"])
        await service.stop()
    }

    @Test("a pipe that pauses longer than a body may is cut, and the message says so")
    func stalled() async throws {
        let service = try await service("--body-timeout", "2")
        // Until its input is closed.
        let stalled = try transcribe(service, pausing: "cat")
        try await stalled.shows("let the service wait too long")
        try stalled.closeInput()
        #expect(await stalled.end() == 69)
        #expect(try await endings(service) == ["clientStalled"])
        await service.stop()
    }
}
