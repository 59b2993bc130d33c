import Foundation
import ProgramSupport
import TestSupport
import Testing

/// Installing through the real programs. What can be wrong with a package is tested in `EngineInstallationTests`.
@Suite("voicegate engine", .timeLimit(.minutes(3)))
struct EngineCommandTests {
    /// Makes a wheel with one file and its engine.yaml: Tests/Support/Tools/sample_engine.py.
    private func engine(in folder: TemporaryFolder, free: Bool = true) async throws -> String {
        let tool = Checkout.root.path + "/Tests/Support/Tools/sample_engine.py"
        let program = try RunningProgram(
            ["/usr/bin/python3", tool, folder.path, free ? "free" : "not-free"], environment: ["PATH": "/usr/bin:/bin"])
        try #require(await program.end() == 0, "\(program.errorText)")
        return folder.path + "/engine.yaml"
    }

    private func engines(_ service: ServiceUnderTest) async throws -> [[String: Any]] {
        let (status, output, errors) = try await service.run(["engine", "list", "--json"])
        #expect(status == 0, "\(errors)")
        let object = try JSONSerialization.jsonObject(with: Data((output.first ?? "").utf8)) as? [String: Any]
        return object?["engines"] as? [[String: Any]] ?? []
    }

    private func left(_ service: ServiceUnderTest) -> [String] {
        [service.stateDirectory + "/engines", service.folder.path + "/.cache/voicegate/engines"].flatMap {
            (try? FileManager.default.contentsOfDirectory(atPath: $0)) ?? []
        }
    }

    @Test(
        "the built-in engine and the catalogue are listed with licences and errors; what cannot be done says what to do"
    )
    func list() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let listed = try await engines(service)
        #expect(listed.map { $0["id"] as? String } == ["pocketsphinx", "moonshine-tiny-en"])
        #expect(listed[0]["state"] as? String == "builtIn" && (listed[0]["usedFor"] as? [String])?.count == 5)
        #expect(listed[1]["state"] as? String == "available" && listed[1]["weightsLicence"] as? String == "MIT")
        let use = try await service.run(["engine", "use", "moonshine-tiny-en"])
        #expect(use.status == 66 && use.errors.contains("voicegate engine install moonshine-tiny-en"), "\(use)")
        #expect(try await service.run(["engine", "remove", "pocketsphinx"]).status == 64)
        #expect(try await service.run(["engine", "remove", "moonshine-tiny-en"]).status == 66)
        let unknown = try await service.run(["engine", "install", "moonshine"])
        #expect(unknown.status == 66 && unknown.errors.contains("Known: moonshine-tiny-en"), "\(unknown.errors)")
        let absent = try await service.run(["engine", "install", "moonshine-tiny-en", "--from", service.folder.path])
        #expect(absent.status == 69 && absent.errors.contains("pip download"), "\(absent.errors)")
        let background = try await service.run(["engine", "use", "pocketsphinx"], isForeground: false)
        #expect(background.status == 77 && background.errors.contains("in the foreground"), "\(background)")
        #expect(left(service).isEmpty)
    }

    @Test("a module pip in the working folder, which may be somebody else's, is not run")
    func workingFolder() async throws {
        let folder = try TemporaryFolder()
        let description = try await engine(in: folder)
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let hostile = try TemporaryFolder()
        try hostile.write("open('\(hostile.path)/ran', 'w')\n", to: "pip.py")
        let program = try RunningProgram(
            ["/usr/bin/env", "-C", hostile.path, Programs.commandLine, "engine", "install", description]
                + ["--socket", service.socket],
            environment: service.environment.merging([
                "PIP_CONFIG_FILE": "/dev/null", "PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_RETRIES": "0",
            ]) { _, new in new })
        try program.closeInput()
        #expect(await program.end() == 69, "\(program.errorText)")
        #expect(!FileManager.default.fileExists(atPath: hostile.path + "/ran"))
    }

    @Test("an engine.yaml that cannot be used says what is wrong with it or with its packages, and leaves nothing")
    func mistakes() async throws {
        let folder = try TemporaryFolder()
        let description = try String(contentsOfFile: try await engine(in: folder), encoding: .utf8)
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let empty = try TemporaryFolder()
        let wheel = try #require(description.firstMatch(of: /"sha256": "([0-9a-f]{64})"/)?.1)
        let mistakes: [(text: String, wheels: String, status: Int32, words: String)] = [
            (description, empty.path, 69, "--only-binary=:all: sample==1.0"),
            (
                description.replacing(wheel, with: String(repeating: "0", count: 64)), folder.path, 65,
                "is not the expected file: its SHA-256 is different"
            ),
            (
                description.replacing(#""moonshine""#, with: #""whisper""#), folder.path, 65,
                "the family of recognizer is “whisper”; voicegate-recognizer-onnx runs moonshine"
            ),
            (
                description.replacing("sample/model.onnx", with: "sample/../model.onnx"), folder.path, 65,
                "model.onnx's path is relative, without . and .."
            ),
            (description.replacing(#""free": true,"#, with: ""), folder.path, 65, "free is missing"),
            // The packages are right, but not what the program needs.
            (description, folder.path, 69, "libsherpa-onnx-c-api.so is missing"),
        ]
        for (text, wheels, status, words) in mistakes {
            let path = try folder.write(text, to: "mistake.yaml")
            let result = try await service.run(["engine", "install", path, "--from", wheels])
            #expect(result.status == status && result.errors.contains(words), "\(result)")
            #expect(left(service).isEmpty)
        }
    }

    @Test(
        "an engine that is not free needs its licence accepted; a full disk leaves nothing")
    func refused() async throws {
        let folder = try TemporaryFolder()
        let description = try await engine(in: folder, free: false)
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let install = ["engine", "install", description, "--from", folder.path]
        let refused = try await service.run(install)
        #expect(refused.status == 64 && refused.errors.contains("--accept-licence 'CC-BY-NC-4.0'"), "\(refused.errors)")
        let accepted = install + ["--accept-licence", "CC-BY-NC-4.0"]
        // The file has 64 kB, and a file of this process may have 8: EFBIG, as ENOSPC.
        let full = try RunningProgram(
            ["/bin/sh", "-c", "trap '' XFSZ; ulimit -f 16; exec \"$@\"", "sh", Programs.commandLine] + accepted
                + ["--socket", service.socket],
            environment: service.environment)
        try full.closeInput()
        #expect(await full.end() == 74 && full.errorText.contains("Free some space"), "\(full.errorText)")
        #expect(left(service).isEmpty)
        #expect(try await engines(service).count == 2)
    }
}
