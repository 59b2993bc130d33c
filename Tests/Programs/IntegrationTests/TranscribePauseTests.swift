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

    @Test(
        "a pipe may pause longer than a connection may be idle; one that pauses longer than a body may is cut, and the message says so"
    )
    func pauses() async throws {
        let service = try await ServiceUnderTest(
            answers: ServiceUnderTest.yesToAll, options: ["--idle-timeout", "1", "--body-timeout", "4"])
        // The second one pauses until its input is closed.
        let (slow, stalled) = (try transcribe(service, pausing: "sleep 2"), try transcribe(service, pausing: "cat"))
        #expect(await slow.end() == 0, "\(slow.errorText)")
        #expect(slow.lines.joined(separator: " ").contains("young man"), "\(slow.lines)")
        try await stalled.shows("let the service wait too long")
        try stalled.closeInput()
        #expect(await stalled.end() == 69)
        let endings = try await service.records().filter { $0.kind == "session.stopped" }.compactMap {
            $0.text("reason")
        }
        #expect(endings.sorted() == ["clientStalled", "ended"])
        await service.stop()
    }
}
