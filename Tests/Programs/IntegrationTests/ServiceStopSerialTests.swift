import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Alone: the service waits 2 s at most until its clients have read that it ends.
@Suite("A service that is stopped", .timeLimit(.minutes(2)))
struct ServiceStopSerialTests {
    @Test("SIGTERM ends running sessions with serviceStopped, records it, and removes the socket")
    func terminated() async throws {
        var microphone = VirtualMicrophone(name: "mic", file: Programs.librivox("0870"))
        microphone.loops = true
        let microphones = try VirtualMicrophoneConfiguration([microphone])
        let service = try await ServiceUnderTest(microphones, answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        let dictation = try service.curl("/v1/dictation", ["-d", "{}"])
        try await dictation.line(where: StreamEvent.isOf("started"))
        #expect(await service.stop() == 0, "\(service.program.errorText)")
        let ended = try await dictation.line(where: StreamEvent.isOf("ended"))
        #expect(StreamEvent(ended)?.reason == "serviceStopped")
        #expect(!FileManager.default.fileExists(atPath: service.socket))
        let next = try await ServiceUnderTest(microphones, answers: ServiceUnderTest.yesToAll, continuing: service)
        let last = try await next.records().last { $0.kind == "session.stopped" }
        #expect(last?.text("reason") == "serviceStopped")
    }
}
