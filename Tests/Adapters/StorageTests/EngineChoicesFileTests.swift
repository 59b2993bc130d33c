import Authorization
import Foundation
import Storage
import TestSupport
import Testing

@Suite("The choice of engines")
struct EngineChoicesFileTests {
    @Test("it survives a restart, and is for the service's user alone")
    func survives() async throws {
        let folder = try TemporaryFolder()
        #expect(try EngineChoicesFile(stateDirectory: folder.path).read() == [:])
        let choices: [EngineTask: [String]] = [
            .dictation: ["vosk-ko", "moonshine-tiny-en"], .keyPhrases: ["pocketsphinx"],
        ]
        try await EngineChoicesFile(stateDirectory: folder.path).replace(choices)
        #expect(try EngineChoicesFile(stateDirectory: folder.path).read() == choices)
        let path = folder.path + "/engines/choices.json"
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        try await EngineChoicesFile(stateDirectory: folder.path).replace([:])
        #expect(try EngineChoicesFile(stateDirectory: folder.path).read() == [:])
    }

    @Test("a damaged file is an error that says what applies, and a later choice replaces it")
    func damaged() async throws {
        let folder = try TemporaryFolder()
        let file = EngineChoicesFile(stateDirectory: folder.path)
        try await file.replace([.files: ["moonshine-tiny-en"]])
        for text in ["", "[]", "{\"files\":1}", "{\"files\":\"a\"}", "{\"files\":"] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path + "/engines/choices.json"))
            let error = #expect(throws: StorageError.self) { try file.read() }
            #expect(error?.message.contains("PocketSphinx is used") == true)
        }
        try await file.replace([.files: ["other"]])
        #expect(try file.read() == [.files: ["other"]])
    }

    @Test("tasks of later versions are left out")
    func later() async throws {
        let folder = try TemporaryFolder()
        let file = EngineChoicesFile(stateDirectory: folder.path)
        try await file.replace([.files: ["a"]])
        try Data("{\"files\":[\"a\"],\"translation\":[\"b\"]}".utf8).write(
            to: URL(fileURLWithPath: folder.path + "/engines/choices.json"))
        #expect(try file.read() == [.files: ["a"]])
    }
}
