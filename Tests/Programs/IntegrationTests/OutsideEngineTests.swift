import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("An engine outside of the service, asked by the service", .timeLimit(.minutes(3)))
struct OutsideEngineTests {
    private let folder: TemporaryFolder
    private let uri: String
    private var name: String { "wyoming:" + uri }

    init() throws {
        folder = try TemporaryFolder()
        uri = "unix://\(folder.path)/engine.sock"
    }

    private func engine(
        _ behaviour: String, _ text: String = "", at uri: String? = nil
    ) async throws -> RunningProgram {
        let script = Checkout.root.appending(path: "Tests/Support/Tools/wyoming_engine.py").path
        let program = try RunningProgram(
            [try await PythonTools.interpreter(), script, uri ?? self.uri, behaviour, text],
            environment: ["PATH": "/usr/bin:/bin"],
            isForeground: false)
        try await program.line { $0 == "ready" }
        return program
    }

    private func service(
        answers: [String]? = ServiceUnderTest.yesToAll, engine: String? = nil, continuing: ServiceUnderTest? = nil
    ) async throws -> ServiceUnderTest {
        let file = try folder.write("engine: \(engine ?? name)\nwarmRecognizers: 0\n", to: "config.yaml")
        let service = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: answers, options: ["--configuration", file], continuing: continuing)
        try service.registerCurl()
        return service
    }

    private func dictate(_ service: ServiceUnderTest, _ body: String = #"{"stopAfterSilence":1}"#) async throws
        -> [StreamEvent]
    {
        let dictation = try service.curl("/v1/dictation", ["-d", body])
        await dictation.end()
        return dictation.lines.compactMap { StreamEvent($0) }
    }

    @Test("its text is the final one, the live text is the service's, and notice and log name who received the audio")
    func answers() async throws {
        let engine = try await engine("answers", "Go forward ten metres.")
        let service = try await service()
        let events = try await dictate(service)
        #expect(events.filter { $0.type == "final" }.compactMap(\.text) == ["Go forward ten metres."])
        #expect((events.first { $0.type == "final" }?.fields["words"] as? [Any])?.isEmpty == true)
        #expect(events.contains { $0.type == "partial" && $0.text?.contains("forward") == true })
        #expect(events.last?.reason == "silence")
        #expect(engine.count(of: "heard") == 1)

        let records = try await service.records()
        let notices = records.filter { $0.kind == "notice.shown" }
        #expect(notices.count == 2)
        for notice in notices {
            #expect(notice.fields["recipients"] as? [String] == [name])
            #expect(notice.text("notice")?.contains(name) == true)
        }
        let started = try #require(records.first { $0.kind == "session.started" })
        #expect(started.text("engine") == name)
        #expect(started.text("sharing") == "shared")
        let shared = records.filter { $0.kind == "data.shared" }
        #expect(shared.count == 1)
        #expect(shared.first?.fields["recipients"] as? [String] == [name])
        #expect(shared.first?.fields["dataKinds"] as? [String] == ["liveAudio"])
        #expect(shared.first?.text("basis") == "sent")
        let doctor = try await service.run(["doctor", "--json"])
        #expect(doctor.output.joined().contains("Dictations and files are sent to \(name)"), "\(doctor.output)")
    }

    @Test("at a port of this machine it is asked as well, since its connection is this user's")
    func overTCP() async throws {
        let uri = "tcp://127.0.0.1:\(try FreePort.find())"
        let engine = try await engine("answers", "Go forward ten metres.", at: uri)
        let service = try await service(engine: "wyoming:" + uri)
        let events = try await dictate(service)
        #expect(events.filter { $0.type == "final" }.compactMap(\.text) == ["Go forward ten metres."])
        #expect(engine.count(of: "heard") == 1)
    }

    private static let failures: [(behaviour: String?, words: String)] = [
        ("hangs", "did not answer within"), ("dies in mid-utterance", "closed the connection"),
        (nil, "Start the engine."),
    ]

    @Test(
        "when it hangs, dies or is missing the session ends with the reason, and the next session asks it again",
        arguments: failures)
    func fails(_ behaviour: String?, _ words: String) async throws {
        var engine: RunningProgram?
        if let behaviour { engine = try await self.engine(behaviour) }
        let service = try await service()
        let events = try await dictate(service)
        #expect(events.contains { $0.type == "partial" }, "the words so far are missing: \(events)")
        #expect(!events.contains { $0.type == "final" })
        #expect(events.last?.reason == "failed")
        #expect((events.last?.fields["message"] as? String)?.contains(words) == true, "\(events)")
        let failures = try await service.records().filter { $0.kind == "recognizer.failed" }
        #expect(failures.count == 1 && failures.first?.text("reason")?.contains(words) == true)
        #expect(try await service.records().contains { $0.kind == "data.shared" } == (behaviour != nil))
        let doctor = try await service.run(["doctor", "--json"])
        #expect(doctor.output.joined().contains("It failed last"), "\(doctor.output)")
        if let engine {
            engine.signal(SIGKILL)
            await engine.end()
        }
        _ = unlink(folder.path + "/engine.sock")
        let again = try await self.engine("answers", "Go forward ten metres.")
        #expect(
            try await dictate(service).filter { $0.type == "final" }.compactMap(\.text) == ["Go forward ten metres."])
        again.signal(SIGKILL)
    }

    @Test("a grant given before the engine was named is asked about again, and the log has the new notice")
    func asksAgain() async throws {
        let first = try await ServiceUnderTest(
            VirtualMicrophoneConfiguration([VirtualMicrophone(name: "mic", file: Programs.goForward)]),
            answers: ServiceUnderTest.yesToAll)
        try first.registerCurl()
        #expect(try await dictate(first).last?.reason == "silence")
        await first.stop()

        let engine = try await engine("answers", "never")
        let second = try await service(
            answers: [#"{"client":"*","resource":"*","answer":"later"}"#], continuing: first)
        let status = try second.curl("/v1/authorization")
        await status.end()
        #expect(status.lines.joined().contains(#""speechRecognition":"notDetermined""#), "\(status.lines)")
        #expect(status.lines.joined().contains(#""microphone":"authorized""#))
        let refused = try second.curl("/v1/dictation", ["-d", "{}", "-w", "%{http_code}"])
        await refused.end()
        #expect(refused.lines.last?.hasSuffix("403") == true)
        let records = try await second.records()
        #expect(records.contains { $0.kind == "notice.changed" }, "\(records.map(\.kind))")
        #expect(records.last { $0.kind == "notice.shown" }?.fields["recipients"] as? [String] == [name])
        #expect(engine.count(of: "closed") == 0, "nothing may be sent")
        await second.stop()

        let third = try await service(continuing: first)
        #expect(try await dictate(third).contains { $0.text == "never" && $0.type == "final" })
        await third.stop()
    }

    @Test(
        "with a grammar nothing is sent to it, and no record says so; a file is, and the record and the models name it")
    func grammarAndFile() async throws {
        let engine = try await engine("answers", "Young man.")
        let service = try await service()
        let grammar = "#JSGF V1.0; grammar g; public <g> = go forward ten meters;"
        let body = try JSONSerialization.data(withJSONObject: ["grammar": grammar, "stopAfterSilence": 1])
        let events = try await dictate(service, String(decoding: body, as: UTF8.self))
        #expect(events.filter { $0.type == "final" }.compactMap(\.text) == ["go forward ten meters"])
        #expect(engine.count(of: "closed") == 0 && engine.count(of: "heard") == 0)
        for record in try await service.records() where record.kind.hasPrefix("session.") {
            #expect(record.text("engine") == nil)
            #expect(record.text("sharing") == "declared")
        }
        #expect(try await !service.records().contains { $0.kind == "data.shared" })

        let file = try service.curl("/v1/audio/transcriptions", ["--data-binary", "@\(Programs.librivox("0880"))"])
        await file.end()
        #expect(file.lines.joined().contains("Young man."), "\(file.lines)")
        let records = try await service.records()
        let started = try #require(records.last { $0.kind == "session.started" })
        #expect(started.text("engine") == name)
        #expect((started.fields["recognizer"] as? [String: Any])?["name"] as? String == "test-engine tiny")
        #expect(records.last { $0.kind == "data.shared" }?.fields["dataKinds"] as? [String] == ["recording"])
        let models = try service.curl("/v1/models")
        await models.end()
        #expect(
            models.lines.joined().contains(#""languages":["en","ja-JP"],"name":"test-engine tiny""#), "\(models.lines)")
    }

    @Test("another host is refused at the start unless root allows it in engines.yaml")
    func otherHost() async throws {
        let file = try folder.write("engine: wyoming:tcp://192.0.2.1:10300\n", to: "config.yaml")
        func start() throws -> RunningProgram {
            try RunningProgram(
                [
                    Programs.service, "--socket", folder.path + "/run/s", "--state-directory", folder.path + "/state",
                    "--configuration", file, "--policy-directory", folder.path + "/policy.d",
                    "--ready-file-descriptor", "1",
                ], environment: ["HOME": folder.path], isForeground: false)
        }
        let refused = try start()
        #expect(await refused.end() == 78)
        #expect(refused.errorText.contains("engines.yaml does not allow it"), "\(refused.errorText)")
        let permission = try folder.write("allow:\n  - tcp://192.0.2.1:10300\n", to: "engines.yaml")
        if geteuid() == 0 {
            let allowed = try start()
            try await allowed.line { $0 == "ready" }
            allowed.signal(SIGTERM)
            await allowed.end()
        }
        chmod(permission, 0o666)
        let untrusted = try start()
        #expect(await untrusted.end() != 0)
        #expect(untrusted.errorText.contains("must belong to root"), "\(untrusted.errorText)")
    }
}
