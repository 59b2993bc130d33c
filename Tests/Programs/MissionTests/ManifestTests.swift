import Authorization
import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("B. Around the prompt: manifests and words", .timeLimit(.minutes(5)))
struct ManifestTests {
    private func plist(_ entries: [String: Any]) throws -> Data {
        var all: [String: Any] = [
            "CFBundleIdentifier": "org.example.curl", "CFBundleExecutable": Programs.curl,
            "VoiceGateRecipients": [String](),
        ]
        all.merge(entries) { _, new in new }
        return try PropertyListSerialization.data(fromPropertyList: all, format: .xml, options: 0)
    }

    /// Runs a command that needs no service.
    private func voicegate(
        _ arguments: [String], _ variables: [String: String] = [:]
    ) async throws -> (status: Int32, output: [String], errors: String) {
        let environment = ["PATH": "/usr/bin:/bin", "VOICEGATE_NO_START": "1"].merging(variables) { _, new in new }
        let program = try RunningProgram([Programs.commandLine] + arguments, environment: environment)
        let status = await program.end()
        return (status, program.lines, program.errorText)
    }

    private func json(_ program: RunningProgram) async throws -> [String: Any] {
        await program.end()
        return try #require(
            JSONSerialization.jsonObject(with: Data(program.lines.joined().utf8)) as? [String: Any])
    }

    @Test("B1 a manifest is an Info.plist; a request without the description it needs is refused with the key's name")
    func missingKey() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        try service.registerCurl(describing: ["NSSpeechRecognitionUsageDescription"])
        for (language, word) in [("en", "the prompt cannot give a reason"), ("ja", "伝えられません"), ("ko", "알릴 수 없습니다")] {
            let reply = try await json(
                service.curl(
                    "/v1/authorization/requests",
                    ["-d", #"{"resource":"microphone"}"#, "-H", "Accept-Language: \(language)"]))
            let error = try #require(reply["error"] as? [String: Any])
            #expect(error["code"] as? String == "missingUsageDescription")
            let message = try #require(error["message"] as? String)
            #expect(message.contains("NSMicrophoneUsageDescription"))
            #expect(message.contains(word))
        }
        #expect(try await !service.records().contains { $0.kind == "notice.shown" })
    }

    @Test("B1 an installed manifest makes its program a client, with modes for the person alone")
    func install() async throws {
        let folder = try TemporaryFolder()
        let variables = ["XDG_CONFIG_HOME": folder.path + "/config"]
        let bad = try folder.write(plist(["NSMicrophoneUsageDescription": "Microphone"]), to: "bad/Info.plist")
        let refused = try await voicegate(["manifest", "install", bad], variables)
        #expect(refused.status == 65)
        #expect(refused.errors.contains("NSSpeechRecognitionUsageDescription"))
        #expect(!FileManager.default.fileExists(atPath: folder.path + "/config/voicegate/clients"))

        let good = try folder.write(
            plist([
                "CFBundleDevelopmentRegion": "en",
                "NSSpeechRecognitionUsageDescription": "Turns recordings that you choose into text, on this machine.",
                "VoiceGateDataKinds": ["transcript"],
            ]), to: "good/Info.plist")
        try folder.write(
            #"NSSpeechRecognitionUsageDescription = "選んだ録音をテキストに変換するために音声認識を使用します。";"#,
            to: "good/ja.lproj/InfoPlist.strings")
        // The second replaces the first.
        for _ in 1...2 {
            let installed = try await voicegate(["manifest", "install", folder.path + "/good"], variables)
            #expect(installed.status == 0)
            #expect(installed.errors.contains("voicegate settings org.example.curl --allow speechRecognition"))
        }
        let clients = folder.path + "/config/voicegate/clients"
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path + "/config/voicegate")
        #expect(
            files.sorted() == [
                "clients", "clients/org.example.curl", "clients/org.example.curl/Info.plist",
                "clients/org.example.curl/ja.lproj", "clients/org.example.curl/ja.lproj/InfoPlist.strings",
            ])
        for (path, mode) in [("org.example.curl", 0o700), ("org.example.curl/Info.plist", 0o600)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: clients + "/" + path)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: good)).count > 0)

        let service = try await ServiceUnderTest(
            answers: ServiceUnderTest.yesToAll, options: ["--clients-directory", clients])
        let reply = try await json(service.curl("/v1/authorization"))
        #expect(reply["client"] as? String == "org.example.curl")
    }

    @Test(
        "B2 lint finds the bad descriptions of the sources and passes the good ones",
        arguments: [
            ("ja", "マイクを使用します", "vague"), ("ja", "位置情報が必要です", "vague"),
            ("ja", "Location access required", "wrongLanguage"), ("ko", "권한 내용", "placeholder"),
            ("en", "This app needs the microphone", "vague"), ("ko", "마이크를 사용합니다", "vague"),
            ("ja", "音声入力機能を使用するためにマイクへのアクセスが必要です。音声データはテキスト変換のみに使用され、サーバーには保存されません。", nil),
            ("ja", "現在地周辺のレストランを検索するために位置情報を使用します", "otherResource"),
            ("ja", "地図上であなたの位置を表示し、目的地への経路を案内するために位置情報を使用します", "otherResource"),
        ] as [(String, String, String?)])
    func lint(language: String, text: String, code: String?) async throws {
        let speech = [
            "ja": "音声をテキストに変換するために音声認識を使用します。", "ko": "말한 내용을 글로 바꾸기 위해 음성 인식을 사용합니다.",
            "en": "Turns what you say into the text of your note, on this machine.",
        ]
        let folder = try TemporaryFolder()
        let file = try folder.write(
            plist([
                "CFBundleDevelopmentRegion": language, "NSMicrophoneUsageDescription": text,
                "NSSpeechRecognitionUsageDescription": speech[language] ?? "",
            ]), to: "Info.plist")
        let (status, output, _) = try await voicegate(["manifest", "lint", "--strict", file])
        guard let code else {
            #expect(status == 0)
            #expect(output == [])
            return
        }
        #expect(status == 65)
        let line = try #require(output.first)
        #expect(line.hasPrefix("\(file): error: NSMicrophoneUsageDescription: "))
        #expect(line.hasSuffix("[\(code)]"))
        let (_, objects, _) = try await voicegate(["manifest", "lint", "--json", file])
        let object = try #require(
            JSONSerialization.jsonObject(with: Data(objects[0].utf8)) as? [String: Any])
        #expect(object["code"] as? String == code)
        // An example of a good text, in the client's language.
        #expect((object["example"] as? String)?.isEmpty == false)
    }

    @Test("B2 the manifest of VoiceGate's own command line passes, but for a program that is not installed here")
    func ownManifest() async throws {
        let source = Checkout.root.appending(path: "Sources/Service/Service/Clients").path
        let folder = try TemporaryFolder()
        for (name, copy) in [
            ("CommandLine.plist", "Info.plist"), ("CommandLine.ja.strings", "ja.lproj/InfoPlist.strings"),
            ("CommandLine.ko.strings", "ko.lproj/InfoPlist.strings"),
        ] {
            let text = try String(contentsOfFile: source + "/" + name, encoding: .utf8)
            try folder.write(text.replacing("/usr/bin/voicegate", with: Programs.commandLine), to: copy)
        }
        let (status, output, _) = try await voicegate(["manifest", "lint", "--strict", folder.path])
        #expect(output == [])
        #expect(status == 0)
    }

    @Test("B3 what will be read can be seen before, in a language of choice")
    func preview() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            plist([
                "NSMicrophoneUsageDescription": "Listens while you hold the key, so that you can dictate a note.",
                "VoiceGateRetention": "30 days",
            ]), to: "Info.plist")
        try folder.write(
            "NSMicrophoneUsageDescription = \"メモを書きとめるためにマイクを使用します。\"; VoiceGateRetention = \"30日間\";",
            to: "ja.lproj/InfoPlist.strings")
        let (status, output, errors) = try await voicegate(["manifest", "show", file, "--language", "ja"])
        #expect(status == 0)
        let text = output.joined(separator: "\n")
        for part in ["がマイクの使用を求めています", "“メモを書きとめるためにマイクを使用します。”", "保存  30日間", "誰とも共有されません"] {
            #expect(text.contains(part))
        }
        #expect(errors.contains("NSSpeechRecognitionUsageDescription"))
    }

    @Test("B7 works without: files are transcribed without the microphone, and an own status is read without anything")
    func gracefulDegradation() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        try service.registerCurl(describing: ["NSSpeechRecognitionUsageDescription"])
        let transcription = try await json(
            service.curl("/v1/audio/transcriptions", ["--data-binary", "@\(Programs.librivox("0880"))"]))
        #expect((transcription["text"] as? String)?.isEmpty == false)
        try service.registerCurl(describing: [])
        let status = try await json(service.curl("/v1/authorization"))
        #expect(status["speechRecognition"] as? String == "authorized")
        #expect(status["microphone"] as? String == "notDetermined")
    }

    @Test("C1 a manifest that declares more is asked about again, and the log says what was shown")
    func widened() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        let request = ["-d", #"{"resource":"microphone"}"#]
        #expect(
            try await json(service.curl("/v1/authorization/requests", request))["microphone"] as? String == "authorized"
        )
        let widened = try plist([
            "NSSpeechRecognitionUsageDescription": "To try the socket.",
            "NSMicrophoneUsageDescription": "To try the socket.", "VoiceGateRecipients": ["Example GmbH"],
            "UIBackgroundModes": ["audio"],
        ])
        try service.folder.write(widened, to: "clients/curl/Info.plist")
        #expect(try await json(service.curl("/v1/authorization"))["microphone"] as? String == "notDetermined")
        let settings = try await service.run(["settings", "org.example.curl", "--no-input"])
        #expect(settings.output.contains { $0.contains("shared with Example GmbH") }, "\(settings)")
        #expect(
            try await json(service.curl("/v1/authorization/requests", request))["microphone"] as? String == "authorized"
        )
        let records = try await service.records()
        let shown = try #require(records.last { $0.kind == "notice.shown" })
        let granted = try #require(records.last { $0.kind == "decision.granted" })
        #expect(shown.fields["question"] as? String == "termsWidened")
        let notice = try #require(shown.fields["notice"] as? String)
        #expect(
            notice.contains(
                "New since you allowed it: shared with Example GmbH — it goes on listening after you leave it"))
        #expect(shown.fields["agreementSHA256"] as? String == granted.fields["agreementSHA256"] as? String)
        let change = try #require(granted.fields["change"] as? [String: Any])
        #expect((change["terms"] as? String)?.contains(#""recipients":["Example GmbH"]"#) == true)
    }

    @Test("B8 a client that is removed and installed again starts from notDetermined")
    func removed() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        try service.registerCurl()
        _ = try await json(service.curl("/v1/authorization/requests", ["-d", "{}"]))
        #expect(try await json(service.curl("/v1/authorization"))["microphone"] as? String == "authorized")
        let other = try await json(service.curl("/v1/clients/org.example.curl", ["-X", "DELETE"]))
        #expect((other["error"] as? [String: Any])?["code"] as? String == "notAllowed", "a client removes nothing")

        let removed = try await service.run(["manifest", "remove", "org.example.curl"])
        #expect(removed.status == 0, "\(removed)")
        #expect(!FileManager.default.fileExists(atPath: service.clientsDirectory + "/curl"))
        #expect(try await json(service.curl("/v1/authorization"))["name"] as? String == "curl")
        let kinds = try await service.records().map(\.kind)
        #expect(kinds.count { $0 == "decision.withdrawn" } == 2)
        try service.registerCurl()
        let status = try await json(service.curl("/v1/authorization"))
        #expect(status["client"] as? String == "org.example.curl")
        #expect(
            status["microphone"] as? String == "notDetermined"
                && status["speechRecognition"] as? String == "notDetermined")
        #expect(try await service.run(["manifest", "remove", "org.example.absent"]).status != 0)
        #expect(try await service.run(["manifest", "remove", "io.voicegate.cli"]).status == 77)
    }

    @Test("B7 lint asks for the least permission, and for always only with a use in the background")
    func leastPermission() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(
            plist([
                "NSSpeechRecognitionUsageDescription": "Turns recordings that you choose into text, on this machine.",
                "NSMicrophoneUsageDescription": "Listens while you hold the key, so that you can dictate a note.",
                "VoiceGateDataKinds": ["transcript"], "UIBackgroundModes": ["audio"],
                "VoiceGateLaunchCommand": [Programs.curl],
            ]), to: "Info.plist")
        let (status, output, _) = try await voicegate(["manifest", "lint", file])
        #expect(status == 65)
        for code in ["unneededMicrophone", "unexplainedBackground", "unexplainedAlways", "missingAlwaysText"] {
            #expect(output.contains { $0.hasSuffix("[\(code)]") })
        }
    }
}
