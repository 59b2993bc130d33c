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
        #expect(await program.end() == 1)
        #expect(program.lines.isEmpty)
        #expect(program.errorText.contains("voicegate settings org.example.example --allow speechRecognition"))
        let asked = try await service.records().filter { $0.kind == "decision.asked" }
        #expect(asked.count == 1)
        await service.stop()
    }

    @Test("each reason of a refusal has its own message, which says what to do next, and an exit code that is not 0")
    func reasons() async throws {
        let service = try await ServiceUnderTest(answers: [
            #"{"client":"*","resource":"speechRecognition","answer":"whileInUse"}"#,
            #"{"client":"*","resource":"microphone","answer":"deny"}"#,
        ])
        func message(
            _ example: String = "AskForPermission", _ arguments: [String] = [],
            describing keys: [String] = ["NSSpeechRecognitionUsageDescription", "NSMicrophoneUsageDescription"]
        ) async throws -> String {
            let program = try service.example(example, arguments, describing: keys)
            #expect(await program.end() == 1)
            return program.errorText + program.lines.joined(separator: "\n")
        }
        let noManifest = try await message(describing: [])
        #expect(noManifest.contains("voicegate manifest new "))
        let noText = try await message(describing: ["NSSpeechRecognitionUsageDescription"])
        #expect(noText.contains("NSMicrophoneUsageDescription"))
        let denied = try await message()
        #expect(denied.contains("voicegate settings org.example.example --allow microphone"))
        // The examples of text end in the same way.
        #expect(try await message("DictateANote") == denied)
        // It does not ask, and is another program than the one that asked before.
        #expect(try await message("HandleARefusal").hasPrefix("Ask first: "))
        try await service.run(["mute"])
        let muted = try await message()
        #expect(muted.contains("voicegate unmute"))
        #expect(try await message("HandleARefusal").hasPrefix("Not allowed: "))
        #expect(try await message("TranscribeAFile", [Programs.librivox("0870")]).contains("voicegate unmute"))
        await service.stop()
        let stopped = try await message()
        #expect(stopped.contains("voicegate service start"))
        #expect(Set([noManifest, noText, denied, muted, stopped]).count == 5)
    }

    @Test("an administrator's restriction is named, with the administrator's reason")
    func restricted() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        let changes = try service.curl("/v1/authorization/changes")
        try service.folder.write(
            "deny:\n  - resource: microphone\n    reason: Not in this building.\n", to: "policy.d/rule.yaml")
        try await changes.line { $0.contains(#""status":"restricted""#) }
        changes.signal(SIGTERM)
        let program = try service.example("AskForPermission")
        #expect(await program.end() == 1)
        #expect(program.errorText.contains("Not in this building."))
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
        #expect(program.lines.last == "Ended after two seconds of silence.")
        await service.stop()
    }

    @Test("a program turns a file into text, without asking for the microphone")
    func transcribes() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let program = try service.example(
            "TranscribeAFile", [Programs.librivox("0880")], describing: ["NSSpeechRecognitionUsageDescription"])
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
        #expect(await refused.end() == 1)
        #expect(refused.lines.first?.hasPrefix("Ask first: ") == true)
        #expect(try await !service.records().contains { $0.kind == "notice.shown" })
        await service.stop()

        let alone = try service.example("HandleARefusal")
        #expect(await alone.end() == 1)
        #expect(alone.lines.first?.hasPrefix("The service is not available (notRunning): ") == true)
    }

    @Test("a file that cannot be read, and a service that cannot be reached, are errors with a message")
    func unreadable() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let absent = try service.example("TranscribeAFile", ["/none.wav"])
        #expect(await absent.end() == 1)
        #expect(absent.errorText == "/none.wav cannot be read: No such file or directory.\n")
        await service.stop()
        for example in ["DictateANote", "AskForPermission"] {
            let program = try service.example(example)
            #expect(await program.end() == 1)
            #expect(program.errorText.contains("voicegate service start"))
        }
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
                "authorized: buy milk", "the user denies: no note: denied", "muted: no note: muted",
                "stopped: no note: notRunning",
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
            try entries(of: "Documentation/Examples/Swift/Sources").map { $0.appending(path: "main.swift") }
                .filter { FileManager.default.fileExists(atPath: $0.path) }
                .map { try String(contentsOf: $0, encoding: .utf8) })
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
