import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Text that leaves voicegate dictate", .timeLimit(.minutes(3)))
struct DeliveryTests {
    @Test("the reported level is the file's, for each tenth of a second")
    func level() async throws {
        // A level is left out while the former one is unread.
        var slow = VirtualMicrophone(name: "slow", file: Programs.goForward)
        slow.speed = 0.5
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([slow]), answers: ServiceUnderTest.yesToAll)
        let (status, output, errors) = try await service.run([
            "dictate", "--device", "slow", "--stop-after-silence", "1", "--level", "--json",
        ])
        #expect(status == 0, "\(errors)")
        let told = output.compactMap { line -> Double? in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            return object?["type"] as? String == "level" ? object?["decibels"] as? Double : nil
        }
        let samples = try HumanSpeech.samples(Programs.goForward)
        let own = stride(from: 0, to: samples.count - 1_600, by: 1_600).map { start in
            let power = samples[start..<(start + 1_600)].reduce(0.0) { $0 + pow(Double($1) / 32_768, 2) } / 1_600
            return power == 0 ? -96 : max(-96, 10 * log10(power))
        }
        // Each that was told is one of the file's, in its order; a busy service may leave one out.
        var place = 0
        var matched = 0
        for level in told {
            guard let found = own[place...].firstIndex(where: { abs($0 - level) < 0.01 }) else { continue }
            matched += 1
            place = found + 1
        }
        #expect(matched >= own.count * 3 / 4, "\(matched) of \(own.count): told \(told), own \(own)")
        #expect(told.filter { $0 > -96 }.count - matched <= 1)
    }
}
