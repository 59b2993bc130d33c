import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("Models of PocketSphinx", .timeLimit(.minutes(5)))
struct EngineModelTests {
    private static let original = "/usr/share/pocketsphinx/model/en-us"

    private func engine(_ service: ServiceUnderTest, _ id: String) async throws -> [String: Any]? {
        let (_, output, errors) = try await service.run(["engine", "list", id, "--json"])
        let object = try? JSONSerialization.jsonObject(with: Data((output.first ?? errors).utf8)) as? [String: Any]
        return (object?["engines"] as? [[String: Any]])?.first
    }

    private func copy(to folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/model"
        try FileManager.default.copyItem(atPath: Self.original, toPath: path)
        return path
    }

    @Test("Debian's model is that of the built-in engine, and verified")
    func list() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll, model: .english)
        let english = try #require(try await engine(service, "pocketsphinx"))
        #expect(english["state"] as? String == "builtIn" && english["folder"] as? String == Self.original)
        #expect(try await service.run(["engine", "list", "pocketsphinx"]).status == 0)
        #expect(try await service.run(["engine", "list", "moonshine-tiny-en"]).status == 66)
        #expect(try await service.run(["engine", "list", "nothing-such"]).status == 66)
    }

    @Test("a changed model is refused with the file's name and what to do; once restored, it is used again")
    func damaged() async throws {
        let folder = try TemporaryFolder()
        let path = try copy(to: folder)
        let means = path + "/en-us/means"
        let whole = try Data(contentsOf: URL(fileURLWithPath: means))
        var changed = whole
        changed[changed.count / 2] ^= 1
        try changed.write(to: URL(fileURLWithPath: means))
        let service = try await ServiceUnderTest(
            answers: ServiceUnderTest.yesToAll, options: ["--model", path])
        let verified = try await service.run(["engine", "list", "pocketsphinx"])
        #expect(verified.status == 65 && verified.output.joined().contains("en-us/means was changed"), "\(verified)")
        let refused = try await service.run(["transcribe", Programs.librivox("0880")])
        #expect(refused.status == 69 && refused.errors.contains("en-us/means was changed"), "\(refused.errors)")
        #expect(service.recognizers.isEmpty)
        try whole.write(to: URL(fileURLWithPath: means))
        // The pool waits a little longer after each failure.
        var done = try await service.run(["transcribe", Programs.librivox("0880")])
        while done.status != 0 { done = try await service.run(["transcribe", Programs.librivox("0880")]) }
        #expect(done.output.joined().contains("young man"))
    }

    @Test("one in a folder is used once it is installed; a broken one is not installed, and ends one recogniser")
    func installing() async throws {
        let folder = try TemporaryFolder()
        let path = try copy(to: folder)
        try Data("a AH\nyoung Y AH NG\n".utf8).write(to: URL(fileURLWithPath: path + "/cmudict-en-us.dict"))
        try FileManager.default.removeItem(atPath: path + "/en-us/README")
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let install = ["engine", "install", path, "--id", "mine", "--language", "en-GB"]
        #expect(try await service.run(["engine", "install", path, "--id", "mine"]).status == 64)
        let installed = try await service.run(install)
        #expect(installed.status == 0, "\(installed.errors)")
        #expect(try await service.run(install).errors.contains("is installed already"))
        #expect(try await engine(service, "mine")?["state"] as? String == "installed")

        let sendump = path + "/en-us/sendump"
        try Data(contentsOf: URL(fileURLWithPath: sendump)).prefix(100_000).write(to: URL(fileURLWithPath: sendump))
        let broken = try await service.run(["engine", "install", path, "--id", "broken", "--language", "en"])
        #expect(broken.status != 0 && broken.errors.contains("sendump is damaged"), "\(broken.errors)")
        #expect(try await engine(service, "broken") == nil)
        #expect(try await service.run(["transcribe", Programs.librivox("0880")]).status == 0)

        // Its dictionary has two words.
        #expect(try await service.run(["engine", "use", "mine", "--for", "files"]).status == 0)
        let transcribed = try await service.run(["transcribe", Programs.librivox("0880")])
        #expect(transcribed.status == 0 && !transcribed.output.joined().contains("man"), "\(transcribed)")
        let recognizer = try await service.records().last { $0.kind == "session.started" }?.fields["recognizer"]
        #expect((recognizer as? [String: Any])?["name"] as? String == "PocketSphinx mine")
        #expect(try await service.run(["engine", "use", "pocketsphinx"]).status == 0)

        await service.stop()
        let configuration = try folder.write("model: mine\nwarmRecognizers: 1\n", to: "config.yaml")
        let second = try await ServiceUnderTest(
            options: ["--configuration", configuration], continuing: service)
        #expect(try await (engine(second, "pocketsphinx")?["folder"] as? String)?.hasSuffix("/engines/mine") == true)
        let removed = try await second.run(["engine", "remove", "mine"])
        #expect(removed.status == 75 && removed.errors.contains("config.yaml names the model"), "\(removed)")
        await second.stop()
        let third = try await ServiceUnderTest(continuing: service)
        #expect(try await third.run(["engine", "remove", "mine"]).status == 0)
        #expect(try await engine(third, "mine") == nil)
    }
}
