import ALSACapture
import Authorization
import Foundation
import Logging
import Speech
import TestSupport
import Testing

@Suite("Revocation under load", .timeLimit(.minutes(Repetitions.areMany ? 180 : 20)))
struct RevocationUnderLoadSerialTests {
    static let sessions = 32

    /// One client with its session on the device.
    private struct Listener {
        let requester: Requester
        let recognizer = CountingRecognizer()
        let gate: Gate
        let ledger: RecordingLedger
        let source: ALSAMicrophoneSource
        let device: String

        /// - Returns: what to wait for until it is over, and how it ended.
        func listen() async throws -> Task<DictationEnding?, Never> {
            let session = DictationSession(
                SessionContext(requester: requester, gate: gate, ledger: ledger, presence: { .foreground }),
                configuration: DictationConfiguration(device: device), source: source, recognizer: recognizer)
            try await session.start()
            let told = Recorder<DictationEvent>()
            return Task {
                await session.run { told.add($0.event) }
                if case .ended(let ending, _) = told.values.last { return ending }
                return nil
            }
        }

        func decide(_ verdict: Verdict) async throws {
            try await gate.decide(
                verdict, for: requester.key(for: .microphone), program: AllowedProgram(requester.caller.executable),
                by: requester.caller)
        }
    }

    @Test("32 sessions, one denied at any moment: it gets no frame after one period, the others go on")
    func noFrameAfterOnePeriod() async throws {
        // At the pace of a person: at eight times that, 32 devices take all of two processors, and on a slower machine no
        // denial would get its turn.
        let microphone = VirtualMicrophone(name: "mic_load")
        try microphone.declare()
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let requesters = (0..<Self.sessions).map { Samples.requester("org.example.load\($0)", process: Int32($0 + 1)) }
        let allowed = requesters.flatMap { requester in
            Resource.allCases.map { SessionBench.yes(requester.key(for: $0)) }
        }
        let ledger = RecordingLedger(decisions: allowed)
        let gate = try await Gate(ledger: ledger, agent: StandInAgent())
        let source = ALSAMicrophoneSource(logger: logger)
        let listeners = requesters.map {
            Listener(requester: $0, gate: gate, ledger: ledger, source: source, device: microphone.name)
        }
        var running: [Task<DictationEnding?, Never>] = []
        for listener in listeners { running.append(try await listener.listen()) }
        var late = 0
        for _ in 0..<Repetitions.revocations {
            let chosen = Int.random(in: 0..<Self.sessions)
            let listener = listeners[chosen]
            let session = try #require(listener.recognizer.session)
            await session.hasHeard(Int.random(in: 0...4))
            try await listener.decide(.denied)
            let heard = session.batches
            #expect(await running[chosen].value == .revoked)
            // On its way from the device when the permission ended: one batch, a period of it.
            if session.batches > heard + 1 { late += 1 }
            try await listener.decide(.authorized)
            running[chosen] = try await listener.listen()
        }
        #expect(late == 0)
        for listener in listeners {
            let session = try #require(listener.recognizer.session)
            await session.hasHeard(session.batches + 1)
            try await listener.decide(.denied)
        }
        for task in running { #expect(await task.value == .revoked) }
    }
}
