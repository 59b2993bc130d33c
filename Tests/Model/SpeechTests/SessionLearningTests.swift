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

    private func learnt(_ bench: SessionBench, _ end: SessionStep = .finished) async throws -> [String] {
        let mean = try #require(CepstralMean(values: [41, 2, 3], frames: 500))
        return try await bench.played(.recognise(.learnt(mean)), end).notes("mean of", "learnt")
    }

    @Test("with consent it begins with the known mean, and stores its own before its end is recorded")
    func consented() async throws {
        let bench = try await bench()
        #expect(try await learnt(bench) == ["mean of default", "learnt default untilWithdrawn"])
        #expect(bench.recognizer.configuration?.mean?.values == [40, 1, 2])
        let notes = bench.notes.values
        let kept = try #require(notes.firstIndex { $0.hasPrefix("learnt") })
        #expect(kept < (notes.firstIndex(of: "write sessionStopped") ?? -1))
    }

    @Test("a client that declares a microphone profile without agreement may not begin, and no mean is used or stored")
    func notAgreed() async throws {
        let bench = try await bench(agreed: [:])
        #expect(await failure(AuthorizationError.self) { try await bench.session.start() }?.code == .termsWidened)
        #expect(bench.notes("mean of", "learnt") == [])
        #expect(bench.recognizer.configuration == nil)
    }

    @Test(
        "without a declaration, or at reduced fidelity no mean is used or stored",
        arguments: [([:], Fidelity.full), (times, .reduced)] as [(KeepingTimes, Fidelity)])
    func unconsented(declared: KeepingTimes, fidelity: Fidelity) async throws {
        let bench = try await bench(declared: declared, fidelity: fidelity)
        #expect(try await learnt(bench) == [])
        let configuration = try #require(bench.recognizer.configuration)
        #expect(configuration.mean == nil)
    }

    @Test(
        "a cancelled session, and one with a revoked permission, store nothing",
        arguments: [(.cancel, .cancelled), (.revoke(), .revoked)] as [(SessionStep, DictationEnding)])
    func notStored(_ end: SessionStep, _ ending: DictationEnding) async throws {
        let bench = try await bench()
        #expect(try await learnt(bench, end) == ["mean of default"])
        #expect(bench.ending == ending)
    }
}
