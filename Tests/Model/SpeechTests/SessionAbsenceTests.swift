import Authorization
import Foundation
import Speech
import TestSupport
import Testing

@Suite("A session whose user is absent", .timeLimit(.minutes(1)))
struct SessionAbsenceTests {
    private static func leave(_ absence: Absence) -> SessionStep {
        SessionStep { await $0.gate.note(Absences(users: [$0.requester.caller.user: absence])) }
    }

    private static let sleep = SessionStep { await $0.gate.note(Absences(isAsleep: true)) }
    private static let comeBack = SessionStep { await $0.gate.note(Absences()) }

    @Test(
        "one that may listen only in the foreground ends, with the reason, and its device is closed before its record",
        arguments: [
            (leave(.locked), DictationEnding.locked), (leave(.switched), .switched), (sleep, .asleep),
        ])
    func ends(_ step: SessionStep, _ ending: DictationEnding) async throws {
        let bench = try await SessionBench().played(.hear(0), step)
        #expect(bench.ending == ending)
        #expect(bench.outcome?.reason == ending.rawValue)
        #expect(
            bench.notes("close", "write sessionStopped", "told") == ["close", "write sessionStopped", "told ended"])
        #expect(bench.outcome?.account == ListeningAccount([.heard(.foreground): 160]))
    }

    @Test("one that may listen in the background hears nothing until its user is back; that is recorded first")
    func pauses() async throws {
        let bench = try await SessionBench(scope: .always).played(
            .hear(0), Self.leave(.locked), .speak(160), .device(.paused(.locked)), .paused(.locked),
            .check { #expect($0.ledger.eventNames.last == "sessionPaused") },
            Self.comeBack, .device(.resumed), .resumed(.locked),
            .check { #expect($0.ledger.eventNames.last == "sessionResumed") }, .hear(16_000), .cancel)
        #expect(bench.notes("frames", "gap") == ["frames 0", "gap 320", "frames 16000"])
        #expect(bench.pauses == [.paused(reason: .locked), .resumed(reason: .locked)])
        // What was captured before the device closed, and the time until it was open again.
        #expect(
            bench.outcome?.account
                == ListeningAccount([.heard(.foreground): 320, .dropped(.background): 160, .paused: 15_680]))
    }

    @Test("no other user's session is concerned")
    func others() async throws {
        let bench = try await SessionBench().played(
            .hear(0), SessionStep { await $0.gate.note(Absences(users: [$0.requester.caller.user + 1: .locked])) },
            .hear(160), .cancel)
        #expect(bench.pauses == [])
        #expect(bench.outcome?.account.heard == 320)
    }

    @Test("none begins while its user is absent, and the refusal has the reason; afterwards it does")
    func refused() async throws {
        let bench = try await SessionBench(scope: .always)
        await bench.gate.note(Absences(users: [bench.requester.caller.user: .locked]))
        let error = await #expect(throws: AuthorizationError.self) { try await bench.session.start() }
        #expect(error?.code == .locked)
        #expect(bench.notes("open") == [])
        await bench.gate.note(Absences())
        _ = try await bench.gate.microphoneGrant(for: bench.requester)
    }

    @Test("if a paused session's permission ends, it ends; the way back is not waited for")
    func revoked() async throws {
        let bench = try await SessionBench(scope: .always).played(
            .hear(0), Self.leave(.locked), .device(.paused(.locked)), .paused(.locked), .revoke())
        #expect(bench.ending == .revoked)
    }

    @Test("another reason of the same absence is not reported again")
    func another() async throws {
        let bench = try await SessionBench(scope: .always).played(
            .hear(0), Self.leave(.locked), .device(.paused(.locked)), .paused(.locked), Self.sleep,
            Self.leave(.locked), Self.comeBack, .device(.resumed), .resumed(.locked), .cancel)
        #expect(bench.ledger.eventNames.filter { $0 == "sessionPaused" || $0 == "sessionResumed" }.count == 2)
    }
}
