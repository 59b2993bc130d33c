import Foundation
import ProgramSupport
import TestSupport
import Testing

/// The programs in the library's pages, as a reader would build and start them.
@Suite("The Swift library's examples", .timeLimit(.minutes(3)))
struct ClientLibraryTests {
    @Test("a program asks for both permissions in one call and says that it may")
    func asks() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let program = try service.example("AskForPermission")
        #expect(await program.end() == 0)
        #expect(program.lines == ["You may speak."])
        await service.stop()
    }

    @Test("a program that is denied says so, and the microphone is not asked for")
    func denied() async throws {
        let service = try await ServiceUnderTest(answers: [#"{"client":"*","resource":"*","answer":"deny"}"#])
        let program = try service.example("AskForPermission")
        #expect(await program.end() == 0)
        #expect(program.lines == ["You denied permission. To change that: voicegate settings"])
        let asked = try await service.records().filter { $0.kind == "decision.asked" }
        #expect(asked.count == 1)
        await service.stop()
    }

    @Test("a program dictates: live words, then the utterance, then that silence ended it")
    func dictates() async throws {
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
        let program = try service.example("DictateANote")
        #expect(await program.end() == 0)
        #expect(program.lines.first == "Listening on default.")
        #expect(program.lines.contains { $0.hasPrefix("… go forward") })
        #expect(program.lines.contains("go forward ten meters"))
        #expect(program.lines.last == "Ended: silence")
        await service.stop()
    }

    @Test("a program turns a file into text, without asking for the microphone")
    func transcribes() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let program = try service.example(
            "TranscribeAFile", [Programs.librivox("0870")], describing: ["NSSpeechRecognitionUsageDescription"])
        #expect(await program.end() == 0)
        #expect(program.lines.contains { $0.contains(" s: ") })
        let records = try await service.records()
        #expect(records.contains { $0.kind == "session.started" })
        #expect(records.filter { $0.kind == "decision.asked" }.count == 1)
        await service.stop()
    }

    @Test("a program that follows its permissions learns of a denial when it is made")
    func follows() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let program = try service.example("FollowPermissions")
        try await program.line { $0 == "speechRecognition: notDetermined" }
        try await service.run(["settings", "org.example.example", "--deny", "microphone"])
        #expect(await program.end() == 0)
        #expect(program.lines.last == "microphone: denied")
        await service.stop()
    }

    @Test("a program that does not ask gets notDetermined; without a service it gets an error that says so")
    func refused() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let refused = try service.example("HandleARefusal")
        #expect(await refused.end() == 0)
        #expect(refused.lines.count == 1)
        #expect(refused.lines.first?.hasPrefix("Ask first: ") == true)
        #expect(try await !service.records().contains { $0.kind == "notice.shown" })
        await service.stop()

        let alone = try service.example("HandleARefusal")
        #expect(await alone.end() == 0)
        #expect(alone.lines.first?.hasPrefix("The service is not available (notRunning): ") == true)
    }

    @Test("a program's tests need no service, and set each status")
    func withoutService() async throws {
        let service = try await ServiceUnderTest(answers: [])
        await service.stop()
        let program = try service.example("TestWithoutAService")
        #expect(await program.end() == 0)
        #expect(
            program.lines == [
                "notDetermined: buy milk, asked", "restricted: no note: restricted", "denied: no note: denied",
                "authorized: buy milk", "the user denies: no note: denied", "stopped: no service",
            ])
    }

    @Test("the code in the library's pages is that of the examples, which are compiled and run here")
    func pagesHoldExamples() throws {
        let root = Checkout.root
        func entries(of folder: String) throws -> [URL] {
            try FileManager.default.contentsOfDirectory(
                at: root.appending(path: folder), includingPropertiesForKeys: nil)
        }
        let examples = Set(
            try entries(of: "Examples/Swift/Sources").map {
                try String(contentsOf: $0.appending(path: "main.swift"), encoding: .utf8)
            })
        let folder = "Sources/Client/VoiceGateClient/VoiceGateClient.docc"
        let pages = try entries(of: folder).filter { $0.pathExtension == "md" }
        var shown: Set<String> = []
        for page in pages {
            for block in try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```swift\n").dropFirst()
            {
                let code = try #require(block.components(separatedBy: "```").first)
                #expect(examples.contains(code), "\(page.lastPathComponent) shows code that no example has")
                shown.insert(code)
            }
        }
        #expect(shown == examples, "an example is on no page")
    }
}
