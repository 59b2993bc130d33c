import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("The service is killed", .timeLimit(.minutes(Repetitions.areMany ? 180 : 20)))
struct KilledServiceTests {
    @Test("after each SIGKILL at a random moment the log verifies, and no device was opened unrecorded")
    func killedAtRandomMoments() async throws {
        let folder = try TemporaryFolder()
        var microphone = VirtualMicrophone(name: "mic", file: Programs.librivox("0870"))
        microphone.loops = true
        let opened = folder.path + "/opened"
        microphone.openedFile = opened
        let microphones = try VirtualMicrophoneConfiguration([microphone])
        let configuration = try folder.write("warmRecognizers: 1\n", to: "config.yaml")
        var service: ServiceUnderTest?
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for round in 0..<Repetitions.kills {
            let next = try await ServiceUnderTest(
                microphones, answers: ServiceUnderTest.yesToAll, options: ["--configuration", configuration],
                continuing: service)
            try next.registerCurl()
            let verification = try await next.run(["audit", "verify"])
            #expect(verification.status == 0, "seed \(seed), round \(round): \(verification)")
            // Nothing has been opened yet by this one: what is in the device's log, the ones before it opened.
            try await expectOpeningsRecorded(next, opened, "seed \(seed), round \(round)")
            let dictations = try (0..<2).map { _ in try next.curl("/v1/dictation", ["-d", "{}"]) }
            // In every other round not before a device is open, so that all stages have their turn.
            if round.isMultiple(of: 2) { try await dictations[0].line(where: StreamEvent.isOf("started")) }
            // The random moment: the kill comes from its own process, so that nothing here is in step with it.
            let delay = Double.random(in: 0..<0.5, using: &random)
            let killer = try RunningProgram(
                ["/bin/sh", "-c", "sleep \(delay); kill -9 \(next.program.processIdentifier)"],
                environment: next.environment)
            await killer.end()
            await next.program.end()
            for dictation in dictations { await dictation.end() }
            service = next
        }
        let last = try await ServiceUnderTest(
            microphones, answers: ServiceUnderTest.yesToAll, options: ["--configuration", configuration],
            continuing: service)
        #expect(try await last.run(["audit", "verify"]).status == 0)
        try await expectOpeningsRecorded(last, opened, "seed \(seed), at the end")
        #expect(VirtualMicrophoneLog(opened).count(.open) > 0)
    }

    private func expectOpeningsRecorded(_ service: ServiceUnderTest, _ log: String, _ moment: String) async throws {
        let started = try await service.records().count { $0.kind == "session.started" }
        let opened = VirtualMicrophoneLog(log).count(.open)
        #expect(opened <= started, "a device was opened without a record of it (\(moment))")
    }
}
