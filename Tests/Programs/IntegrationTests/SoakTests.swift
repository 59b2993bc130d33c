import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Short in the suite; `VOICEGATE_SOAK_MINUTES=1440` for a day (`make soak`).
@Suite("The service runs for long without leaks", .timeLimit(.minutes(10 + Repetitions.soakMinutes)))
struct SoakTests {
    /// What a process has of the system's.
    private struct Holdings: CustomStringConvertible {
        let descriptors: Int
        let threads: Int
        /// Kilobytes of its own data, also those that the kernel has swapped out; pages of files come and go.
        let memory: Int

        init(_ process: Int32) throws {
            let folder = "/proc/\(process)"
            descriptors = try FileManager.default.contentsOfDirectory(atPath: folder + "/fd").count
            threads = try FileManager.default.contentsOfDirectory(atPath: folder + "/task").count
            let rollup = try String(contentsOfFile: folder + "/smaps_rollup", encoding: .utf8)
            memory = rollup.split(separator: "\n").filter { $0.hasPrefix("Anonymous:") || $0.hasPrefix("Swap:") }
                .compactMap {
                    Int($0.split(separator: " ")[1])
                }.reduce(0, +)
        }

        var description: String { "\(descriptors) descriptors, \(threads) threads, \(memory) kB" }
    }

    @Test("sessions, files, refusals and dying recognisers leave no memory, descriptor, thread or process behind")
    func nothingGrows() async throws {
        let microphone = VirtualMicrophone(name: "mic", file: HumanSpeech.goForward)
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: ServiceUnderTest.yesToAll, warm: 2)
        try service.registerCurl()
        // Caches, pools of threads and the allocator's arenas fill in the first rounds.
        var killed: Int32?
        for _ in 0..<Repetitions.soakRounds { killed = try await round(service) }
        try await settle(service, without: killed)
        let before = try Holdings(service.program.processIdentifier)
        let end = ContinuousClock.now + .seconds(60 * Repetitions.soakMinutes)
        var rounds = 0
        while rounds < Repetitions.soakRounds || ContinuousClock.now < end {
            killed = try await round(service)
            rounds += 1
        }
        try await settle(service, without: killed)
        let after = try Holdings(service.program.processIdentifier)
        #expect(after.descriptors <= before.descriptors + 6, "\(before) became \(after) in \(rounds) rounds")
        #expect(after.threads <= before.threads + 4, "\(before) became \(after) in \(rounds) rounds")
        // The log's pages and the allocator's arenas come and go; a leak of one session's audio would be more.
        #expect(after.memory <= before.memory + 24_576, "\(before) became \(after) in \(rounds) rounds")
        #expect(service.recognizers.count == 2, "only the warm ones are there")
        #expect(try await service.run(["audit", "verify"]).status == 0)
        #expect(await service.stop() == 0)
    }

    /// Waits until another recogniser is ready in place of the last one that was killed, which is a child until it is reaped.
    private func settle(_ service: ServiceUnderTest, without killed: Int32?) async throws {
        try await eventually {
            let present = service.recognizers
            return present.count == 2 && !present.contains { $0 == killed }
        }
        #expect(try await service.run(["status"]).status == 0)
    }

    /// - Returns: the recogniser that was killed.
    private func round(_ service: ServiceUnderTest) async throws -> Int32? {
        let dictation = try await service.run(["dictate", "--device", "mic", "--stop-after-silence", "1"])
        #expect(dictation.status == 0, "\(dictation.errors)")
        #expect(dictation.output.joined(separator: " ").contains("forward"))
        let file = try await service.run(["transcribe", Programs.librivox("0880")])
        #expect(file.status == 0, "\(file.errors)")
        #expect(try await service.run(["transcribe", "/etc/hostname"]).status == 65)
        let refused = try service.curl("/v1/dictation", ["-d", #"{"device":"no-such-device"}"#])
        #expect(await refused.end() == 0)
        // The warm one that is killed is made up for; the next session notices nothing.
        let recognizer = service.recognizers.first
        if let recognizer { kill(recognizer, SIGKILL) }
        return recognizer
    }
}
