import Authorization
import Speech
import TestSupport
import Testing

@Suite("Learning a microphone's mean", .timeLimit(.minutes(1)))
struct SessionLearningTests {
    private static let times: KeepingTimes = [.microphoneProfile: .untilWithdrawn]

    private func bench(
        declared: KeepingTimes = times, agreed: KeepingTimes = times, fidelity: Fidelity = .full
    ) async throws -> SessionBench {
        try await SessionBench(
            fidelity: fidelity, as: Samples.requester(phrases: ["forward"], kept: declared), keeping: agreed,
            known: CepstralMean(values: [40, 1, 2], frames: 300))
    }

    private func learnt(_ bench: SessionBench, _ end: (SessionBench) -> Void) async throws -> [String] {
        let running = try await bench.running()
        if let mean = CepstralMean(values: [41, 2, 3], frames: 500) { bench.recognizer.tell(.learnt(mean)) }
        end(bench)
        await running.value
        return bench.notes.values.filter { $0.hasPrefix("mean of") || $0.hasPrefix("learnt") }
    }

    private func finished(_ bench: SessionBench) { bench.recognizer.tell(.finished(duration: 1)) }

    @Test("with consent it begins with the known mean, and stores its own before its end is recorded")
    func consented() async throws {
        let bench = try await bench()
        #expect(try await learnt(bench, finished) == ["mean of default", "learnt default untilWithdrawn"])
        #expect(bench.recognizer.configuration?.mean?.values == [40, 1, 2])
        let notes = bench.notes.values
        let kept = try #require(notes.firstIndex { $0.hasPrefix("learnt") })
        #expect(kept < (notes.firstIndex(of: "write sessionStopped") ?? -1))
    }

    @Test("a client that declares a microphone profile without agreement may not begin, and no mean is used or stored")
    func notAgreed() async throws {
        let bench = try await bench(agreed: [:])
        let error = await #expect(throws: AuthorizationError.self) { try await bench.session.start() }
        #expect(error?.code == .termsWidened)
        #expect(!bench.notes.values.contains { $0.hasPrefix("mean of") || $0.hasPrefix("learnt") })
        #expect(bench.recognizer.configuration == nil)
    }

    @Test(
        "without a declaration, or at reduced fidelity no mean is used or stored",
        arguments: [([:], Fidelity.full), (times, .reduced)] as [(KeepingTimes, Fidelity)])
    func unconsented(declared: KeepingTimes, fidelity: Fidelity) async throws {
        let bench = try await bench(declared: declared, fidelity: fidelity)
        #expect(try await learnt(bench, finished) == [])
        let configuration = try #require(bench.recognizer.configuration)
        #expect(configuration.mean == nil)
    }

    @Test("a cancelled session stores nothing")
    func cancelled() async throws {
        let bench = try await bench()
        #expect(try await learnt(bench) { $0.session.control(.cancel) } == ["mean of default"])
    }

    @Test("a revoked permission stores nothing")
    func revoked() async throws {
        let bench = try await bench()
        let running = try await bench.running()
        if let mean = CepstralMean(values: [41, 2, 3], frames: 500) { bench.recognizer.tell(.learnt(mean)) }
        try await bench.revoke()
        await running.value
        #expect(bench.ending == .revoked)
        #expect(!bench.notes.values.contains { $0.hasPrefix("learnt") })
    }
}
