import Foundation
import ProgramSupport
import TestSupport
import Testing

@Suite("voicegate models", .timeLimit(.minutes(5)))
struct ModelsCommandTests {
    private static let original = "/usr/share/pocketsphinx/model/en-us"

    private func models(_ service: ServiceUnderTest) async throws -> [[String: Any]] {
        let (status, output, errors) = try await service.run(["models", "--json"])
        #expect(status == 0, "\(errors)")
        let object = try JSONSerialization.jsonObject(with: Data((output.first ?? "").utf8)) as? [String: Any]
        return object?["models"] as? [[String: Any]] ?? []
    }

    private func copy(to folder: TemporaryFolder) throws -> String {
        let path = folder.path + "/model"
        try FileManager.default.copyItem(atPath: Self.original, toPath: path)
        return path
    }

    @Test("Debian's model is listed as verified and in use")
    func list() async throws {
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let english = try #require(try await models(service).first)
        #expect(english["id"] as? String == "en-us" && english["state"] as? String == "verified")
        #expect(english["isUsed"] as? Bool == true && english["licence"] as? String == "BSD-2-Clause")
        #expect(try await service.run(["models", "verify"]).status == 0)
        #expect(try await service.run(["models", "verify", "nothing-such"]).status == 66)
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
        let verified = try await service.run(["models", "verify"])
        #expect(verified.status == 65 && verified.output.joined().contains("en-us/means was changed"))
        let refused = try await service.run(["transcribe", Programs.librivox("0880")])
        #expect(refused.status == 69 && refused.errors.contains("en-us/means was changed"), "\(refused.errors)")
        #expect(service.recognizers.isEmpty)
        try whole.write(to: URL(fileURLWithPath: means))
        // The pool waits a little longer after each failure.
        var done = try await service.run(["transcribe", Programs.librivox("0880")])
        while done.status != 0 { done = try await service.run(["transcribe", Programs.librivox("0880")]) }
        #expect(done.output.joined().contains("young man"))
    }

    @Test("an unknown model is used once it was added; a broken one is not added, and ends one recogniser")
    func adding() async throws {
        let folder = try TemporaryFolder()
        let path = try copy(to: folder)
        try Data("a AH\nyoung Y AH NG\n".utf8).write(to: URL(fileURLWithPath: path + "/cmudict-en-us.dict"))
        try FileManager.default.removeItem(atPath: path + "/en-us/README")
        let service = try await ServiceUnderTest(answers: ServiceUnderTest.yesToAll)
        let verified = try await service.run(["models", "verify", path])
        #expect(verified.status == 65 && verified.output.joined().contains("unknown"), "\(verified)")
        let added = try await service.run(["models", "add", path, "--id", "mine"])
        #expect(added.status == 0, "\(added.errors)")
        #expect(try await service.run(["models", "add", path, "--id", "mine"]).status == 64)
        #expect(
            try await models(service).contains { $0["id"] as? String == "mine" && $0["state"] as? String == "verified" }
        )

        let sendump = path + "/en-us/sendump"
        try Data(contentsOf: URL(fileURLWithPath: sendump)).prefix(100_000).write(to: URL(fileURLWithPath: sendump))
        let broken = try await service.run(["models", "add", path, "--id", "broken"])
        #expect(broken.status != 0 && broken.errors.contains("sendump is damaged"), "\(broken.errors)")
        #expect(try await !models(service).contains { $0["id"] as? String == "broken" })
        #expect(try await service.run(["transcribe", Programs.librivox("0880")]).status == 0)

        await service.stop()
        let configuration = try folder.write("model: mine\nwarmRecognizers: 1\n", to: "config.yaml")
        let second = try await ServiceUnderTest(
            options: ["--configuration", configuration], continuing: service)
        let used = try await models(second).first { $0["isUsed"] as? Bool == true }
        #expect(used?["id"] as? String == "mine")
        let removed = try await second.run(["models", "remove", "mine"])
        #expect(removed.status == 75 && removed.errors.contains("in use"))
        await second.stop()
        let third = try await ServiceUnderTest(continuing: service)
        #expect(try await third.run(["models", "remove", "mine"]).status == 0)
        #expect(try await models(third).count == 1)
    }
}
