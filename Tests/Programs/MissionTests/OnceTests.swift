import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("A. The model: once", .timeLimit(.minutes(5)))
struct OnceTests {
    @Test("A8 once ends with its session: notDetermined again, the next session asks again, each is recorded")
    func once() async throws {
        var microphone = VirtualMicrophone(name: "mic", file: HumanSpeech.goForward)
        microphone.speed = 0
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([microphone]), answers: [#"{"client":"*","resource":"*","answer":"once"}"#])
        for _ in 1...2 {
            let dictation = try await service.run(["dictate", "--device", "mic", "--stop-after-silence", "1"])
            #expect(dictation.status == 0)
        }
        let kinds = try await service.records().map(\.kind)
        #expect(kinds.filter { $0 == "decision.granted" }.count == 4)
        #expect(kinds.filter { $0 == "session.started" }.count == 2)
        let granted = try await service.records().filter { $0.kind == "decision.granted" }
        #expect(granted.allSatisfy { $0.text("scope") == "once" })
        let status = try await service.run(["status", "--json"])
        #expect(status.output.joined().contains(#""microphone":"notDetermined""#))
    }
}
