import Authorization
import Base
import Consent
import Glibc
import LinuxSystem
import Logging
import TestSupport
import Testing

@testable import PermissionRoutes
@testable import RecordRoutes

@Suite("The verification of the log after a start", .timeLimit(.minutes(1)))
struct LogVerificationTests {
    private struct Unreadable: Error {}

    @Test(
        "while the log is read the service answers that it is being verified, and then with the result",
        arguments: [true, false])
    func states(isIntact: Bool) async throws {
        let state = try await StateFixture()
        let log = state.log
        let mayEnd = Latch<Void>()
        let verification = LogVerification(log: log) {
            await mayEnd.value
            guard isIntact else { throw Unreadable() }
            return (try await log.verify(), openSessions: ["left"], decisions: [])
        }
        let problems = ProblemBoard(clients: .sample())
        let gate = try await Gate(ledger: log, agent: StandInAgent { _ in .deny }, isVerified: false)
        let running = Task {
            await verification.run(gate: gate, logger: Logger(label: "test")) {
                problems.setLogProblem($0, path: "/log")
            }
        }
        await verification.settles(within: .milliseconds(1))
        #expect(verification.state == .verifying)
        try await log.record(.recovered(sessions: []), changing: nil)
        // A large log does not delay the start: this would outlast the suite's limit.
        await verification.settles(within: .seconds(600), upTo: 0)
        #expect(await problems.all(of: getuid()).isEmpty)
        mayEnd.set()
        await running.value
        await verification.settles(within: .seconds(60))
        #expect(verification.state == (isIntact ? .intact : .altered))
        #expect(await problems.all(of: getuid()).contains { $0.contains("/log") } == !isIntact)
        // A service that was killed: its sessions have ended. In an altered log it is not known which.
        #expect(try await log.records().count { $0.kind == "recovery" } == (isIntact ? 2 : 1))
    }
}
