import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("D. Speech: what is learnt of a microphone", .timeLimit(.minutes(5)))
struct MicrophoneMeanTests {
    private func service() async throws -> ServiceUnderTest {
        try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.librivox("0880"))]),
            answers: ServiceUnderTest.yesToAll)
    }

    private func dictate(_ service: ServiceUnderTest) async throws {
        let dictation = try service.curl("/v1/dictation", ["-d", #"{"device":"mic","stopAfterSilence":0.5}"#])
        await dictation.end()
        #expect(dictation.lines.compactMap { StreamEvent($0) }.last?.type == "ended")
    }

    @Test("D2 it is kept for one client with consent, begun with the next time, shown, and gone with the permission")
    func kept() async throws {
        let service = try await service()
        try service.registerCurl(keeping: ["microphoneProfile": "untilWithdrawn"])
        try await dictate(service)
        var history = try await service.history()
        #expect(history.compactMap { $0["kind"] as? String } == ["microphoneProfile"])
        #expect(history.first?["client"] as? String == "org.example.curl")
        let first = try #require(history.first?["item"] as? String)
        // The next session knows more, and the earlier mean is gone.
        try await dictate(service)
        history = try await service.history()
        #expect(history.count == 1)
        #expect(history.first?["item"] as? String != first)
        #expect(service.keptFiles.count == 1)
        // Never another client's.
        let own = try await service.run(["dictate", "--device", "mic", "--stop-after-silence", "0.5"])
        #expect(own.status == 0)
        #expect(try await service.history().count == 1)
        let records = try await service.records()
        #expect(records.filter { $0.kind == "data.retained" }.allSatisfy { $0.text("dataKind") == "microphoneProfile" })
        let kinds = records.map(\.kind)
        let retained = try #require(kinds.firstIndex(of: "data.retained"))
        let stopped = try #require(kinds.firstIndex(of: "session.stopped"))
        #expect(retained < stopped, "a session's mean is recorded before its end")
        let denied = try await service.run(["settings", "org.example.curl", "--deny", "speechRecognition"])
        #expect(denied.status == 0, "\(denied.errors)")
        _ = try await service.records { $0.contains { $0.kind == "data.erased" && $0.text("reason") == "withdrawn" } }
        #expect(try await service.history().isEmpty)
        #expect(service.keptFiles.isEmpty)
    }

    @Test("D2 nothing is learnt where no microphone profile was declared")
    func undeclared() async throws {
        let service = try await service()
        try service.registerCurl(keeping: ["transcript": "P1D"])
        try await dictate(service)
        #expect(try await service.history().compactMap { $0["kind"] as? String } == ["transcript"])
    }
}
