import ProgramSupport
import TestSupport
import Testing

@Suite("A file that comes with pauses", .timeLimit(.minutes(1)))
struct TranscribePauseTests {
    /// The file through a pipe, with a pause in its middle.
    private func transcribe(_ service: ServiceUnderTest, pausing seconds: Int) throws -> RunningProgram {
        try RunningProgram(
            [
                "/bin/sh", "-c",
                #"( head -c 40000 "$2"; sleep "$3"; tail -c +40001 "$2" ) | "$0" transcribe - --socket "$1""#,
                Programs.commandLine, service.socket, Programs.librivox("0880"), "\(seconds)",
            ], environment: service.environment)
    }

    @Test(
        "a pipe may pause longer than a connection may be idle; one that pauses longer than a body may is cut, and the message says so"
    )
    func pauses() async throws {
        let service = try await ServiceUnderTest(
            answers: ServiceUnderTest.yesToAll, options: ["--idle-timeout", "1", "--body-timeout", "4"])
        let (slow, stalled) = (try transcribe(service, pausing: 2), try transcribe(service, pausing: 6))
        #expect(await slow.end() == 0, "\(slow.errorText)")
        #expect(slow.lines.joined(separator: " ").contains("young man"), "\(slow.lines)")
        #expect(await stalled.end() == 69)
        #expect(stalled.errorText.contains("let the service wait too long"), "\(stalled.errorText)")
        let endings = try await service.records().filter { $0.kind == "session.stopped" }.compactMap {
            $0.text("reason")
        }
        #expect(endings.sorted() == ["clientStalled", "ended"])
        await service.stop()
    }
}
