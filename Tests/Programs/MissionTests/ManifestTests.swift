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
}
