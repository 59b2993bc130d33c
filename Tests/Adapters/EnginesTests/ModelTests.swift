import Foundation
import LinuxSystem
import TestSupport
import Testing

@testable import Engines

@Suite("Models of PocketSphinx")
struct ModelTests {
    private let folder: TemporaryFolder
    private let library: EngineLibrary

    init() throws {
        folder = try TemporaryFolder()
        var object = SampleEngine.object("pocketsphinx")
        object["recognizer"] = ["family": "pocketsphinx"]
        object["artefacts"] = [Any]()
        (object["package"], object["folder"]) = ("tiny-package", "/nonexistent/tiny")
        object["files"] = ["a/one": "one", "two": "two"].map { name, text in
            ["name": name, "sha256": SampleEngine.sha256(text), "bytes": text.utf8.count] as [String: Any]
        }
        let entry = try JSONDecoder().decode(EngineEntry.self, from: JSONSerialization.data(withJSONObject: object))
        library = EngineLibrary(catalogue: EngineCatalogue(engines: [entry]), stateDirectory: folder.path)
    }

    private func model(_ files: [String: String] = ["a/one": "one", "two": "two"]) throws -> String {
        for (file, text) in files { try folder.write(text, to: "model/" + file) }
        return folder.path + "/model"
    }

    private func install(_ path: String, _ id: String?) async throws -> InstalledEngine {
        let entry = try EngineEntry(model: try VerifiedFolder(path), id: id, language: "fr")
        let prepared = folder.path + "/prepared"
        try? FileManager.default.removeItem(atPath: prepared)
        try VerifiedFolder(path).copy(to: prepared)
        try folder.write(try EngineLibrary.encoded(entry), to: "prepared/engine.json")
        return try await library.add(prepared, isUsed: { _ in false }) { _, _ in }
    }

    private func refusal(_ path: String) -> VerifiedFolderError? {
        #expect(throws: VerifiedFolderError.self) { try library.check(model: path) }
    }

    @Test("Debian's model is the catalogue's, and is verified here")
    func builtIn() throws {
        let own = EngineLibrary(catalogue: try .builtIn(), stateDirectory: folder.path)
        let path = try own.folder(ofModel: "en-us")
        #expect(own.entry(ofModel: path)?.languages == ["en-US"])
        try own.check(model: path)
        #expect(try VerifiedFolder(path).bytes == own.catalogue.model?.installedBytes(for: "x86_64"))
    }

    @Test("a model is identified by its files in any folder, and any change of them is reported")
    func faults() throws {
        let path = try model()
        try library.check(model: path)
        try folder.write("tWo", to: "model/two")
        #expect(refusal(path)?.message.contains("two was changed") == true)
        try folder.write("two", to: "model/two")
        try library.check(model: path)
        try folder.write("x", to: "model/a/mixture_weights")
        let error = refusal(path)
        #expect(error?.code == .damaged && error?.message.contains("a/mixture_weights does not belong to it") == true)
        #expect(error?.message.contains("--reinstall tiny-package") == true)
    }

    @Test("an unknown model is refused with what to do, and a missing folder is left to the recogniser")
    func unknown() throws {
        let path = try model(["a/one": "1"])
        let error = refusal(path)
        #expect(error?.code == .unknown && error?.message.contains("voicegate engine install \(path) --id") == true)
        try library.check(model: folder.path + "/nothing")
        #expect(failure(VerifiedFolderError.self) { try library.folder(ofModel: "nothing") }?.code == .absent)
    }

    @Test("one that the user installs is copied with its digests, and verified before each use")
    func installed() async throws {
        let path = try model(["a/one": "1", "b": "2"])
        let engine = try await install(path, "mine")
        #expect(engine.entry.languages == ["fr"] && engine.entry.isModel && engine.entry.name == "PocketSphinx mine")
        #expect(try library.folder(ofModel: "mine") == engine.folder)
        #expect(library.entry(ofModel: engine.folder) == engine.entry)
        #expect(try library.digests(ofModel: engine.folder, isVerified: true).keys.sorted() == ["a/one", "b"])
        try library.check(model: engine.folder)
        #expect(try library.verified("mine") == engine)
        try folder.write("3", to: "engines/mine/b")
        let error = refusal(engine.folder)
        #expect(error?.code == .damaged && error?.message.contains("b was changed") == true)
        #expect(throws: VerifiedFolderError.self) { try library.verified("mine") }
    }

    @Test("its version changes with its files, and its default name is the folder's")
    func versions() async throws {
        let first = try EngineEntry(model: VerifiedFolder(model(["b": "2"])), id: nil, language: "fr")
        let second = try EngineEntry(model: VerifiedFolder(model(["b": "3"])), id: nil, language: "fr")
        #expect(first.id == "model" && first.version != second.version)
    }

    @Test("an invalid name, a language that is not a tag, and a folder with links or pipes are refused")
    func refused() throws {
        let path = try model()
        for (id, language) in [("../x", "fr"), ("", "fr"), ("A b", "fr"), (".new", "fr"), ("mine", "french!")] {
            #expect(throws: VerifiedFolderError.self) {
                try EngineEntry(model: VerifiedFolder(path), id: id, language: language)
            }
        }
        try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: "/etc/passwd")
        #expect(refusal(path)?.code == .unusable)
    }
}
