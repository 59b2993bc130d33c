import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("transcribe and permission", .timeLimit(.minutes(2)))
struct TranscribePermissionTests {
    @Test("without speech recognition transcribe ends with 77; it never needs the microphone")
    func transcribePermission() async throws {
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic")]),
            answers: [
                #"{"client":"*","resource":"speechRecognition","answer":"whileInUse"}"#,
                #"{"client":"*","resource":"microphone","answer":"deny"}"#,
            ])
        #expect(try await service.run(["transcribe", Programs.librivox("0880")]).status == 0)
        #expect(try await service.run(["dictate"]).status == 77)
        #expect(try await service.run(["settings", "io.voicegate.cli", "--deny", "speechRecognition"]).status == 0)
        let refused = try await service.run(["transcribe", Programs.librivox("0880")])
        #expect(refused.status == 77)
        #expect(refused.errors.contains("voicegate settings io.voicegate.cli --allow speechRecognition"))
    }
}
