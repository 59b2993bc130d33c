import Foundation
import LinuxSystem
@testable import SpeechModels
import Synchronization
import TestSupport
import Testing

@Suite("Models of the catalogue and of the user")
struct ModelLibraryTests {
    private let folder: TemporaryFolder
    private let library: ModelLibrary

    private static let entry = CatalogueEntry(
        id: "tiny", language: "en", name: "Tiny", description: "For tests.", source: "a test", package: "tiny-package",
        licence: "MIT", folder: nil,
        files: [
            // SHA-256 of "one" and "two".
            "a/one": "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed",
            "two": "3fc4ccfe745870e2c0d99f71f30ff0656c8dedd41cc1d7d3d376b0dbe685e2f3",
        ])

    init() throws {
        folder = try TemporaryFolder()
        library = ModelLibrary(catalogue: ModelCatalogue(models: [Self.entry]), stateDirectory: folder.path)
    }

    private func model(_ files: [String: String] = ["a/one": "one", "two": "two"], in name: String = "model") throws
        -> String
    {
        for (file, text) in files { try folder.write(text, to: name + "/" + file) }
        return folder.path + "/" + name
    }

    @Test("Debian's model is in the built-in catalogue with a hash for each file, and is verified here")
    func builtIn() throws {
        let catalogue = try ModelCatalogue.builtIn()
        let entry = try #require(catalogue.entry("en-us"))
        #expect(entry.files.values.allSatisfy { $0.count == 64 } && entry.licence == "BSD-2-Clause")
        let own = ModelLibrary(catalogue: catalogue, stateDirectory: folder.path)
        #expect(try own.state(of: try own.folder(of: "en-us")) == .verified(id: "en-us"))
    }

    @Test("a model is identified by its files in any folder, and any change of them is reported")
    func faults() throws {
        let path = try model()
        #expect(try library.state(of: path) == .verified(id: "tiny"))
        try library.check(path)
        try folder.write("tWo", to: "model/two")
        #expect(try library.state(of: path) == .damaged(id: "tiny", [FileFault(file: "two", kind: .changed)]))
        try folder.write("two", to: "model/two")
        #expect(try library.state(of: path) == .verified(id: "tiny"), "a file that is right again is right")
        try folder.write("x", to: "model/a/mixture_weights")
        let added = FileFault(file: "a/mixture_weights", kind: .added)
        #expect(try library.state(of: path) == .damaged(id: "tiny", [added]))
        let error = #expect(throws: VerifiedFolderError.self) { try library.check(path) }
        #expect(error?.code == .damaged)
        #expect(error?.message.contains("a/mixture_weights does not belong to it") == true)
        #expect(error?.message.contains("--reinstall tiny-package") == true)
    }

    @Test("an unknown model is refused, and a missing folder is left to the recogniser")
    func unknown() throws {
        let path = try model(["a/one": "1"])
        let error = #expect(throws: VerifiedFolderError.self) { try library.check(path) }
        #expect(error?.code == .unknown && error?.message.contains("voicegate models add \(path)") == true)
        try library.check(folder.path + "/nothing")
        #expect(try library.state(of: folder.path + "/nothing") == .absent)
    }

    @Test("an added model is copied, pinned and verified; removing it leaves nothing")
    func adding() async throws {
        let path = try model(["a/one": "1", "b": "2"])
        var tried: [String] = []
        let added = try await library.add(path, id: "mine") { tried.append($0) }
        #expect(tried.count == 1 && tried[0] != path)
        #expect(added.files.count == 2 && library.added() == [added])
        let copy = try library.folder(of: "mine")
        #expect(copy == folder.path + "/models/mine")
        #expect(try library.state(of: copy) == .verified(id: "mine"))
        await #expect(throws: VerifiedFolderError.self) { try await library.add(path, id: "mine") { _ in } }
        try folder.write("3", to: "models/mine/b")
        #expect(try library.state(of: copy) == .damaged(id: "mine", [FileFault(file: "b", kind: .changed)]))
        // An engine in config.yaml may name it, too.
        for name in [copy, copy + "/", "mine"] {
            let used = #expect(throws: VerifiedFolderError.self) {
                try library.remove("mine", loaded: ["/elsewhere", name])
            }
            #expect(used?.code == .inUse, "\(name)")
        }
        try library.remove("mine", loaded: ["/elsewhere"])
        #expect(library.added().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/models").isEmpty)
        let absent = #expect(throws: VerifiedFolderError.self) { try library.folder(of: "mine") }
        #expect(absent?.code == .absent)
    }

    @Test("a model that cannot be loaded, or that only has a name of the catalogue, is not added")
    func refused() async throws {
        struct Broken: Error {}
        let path = try model(["a/one": "1", "two": "two"])
        await #expect(throws: Broken.self) { try await library.add(path, id: "mine") { _ in throw Broken() } }
        let error = await #expect(throws: VerifiedFolderError.self) {
            try await library.add(path, id: "tiny") { _ in Issue.record("was tried") }
        }
        #expect(error?.code == .damaged && error?.message.contains("a/one") == true)
        for name in ["../x", "", "A b", ".new"] {
            await #expect(throws: VerifiedFolderError.self) { try await library.add(path, id: name) { _ in } }
        }
        #expect(library.added().isEmpty)
        let left = (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/models")) ?? []
        #expect(left.isEmpty)
    }

    @Test("all of a model is on the disk before its digests make it one, and those before it is reported")
    func powerCut() async throws {
        let path = try model(["a/one": "1", "b": "2"])
        let root = folder.path + "/models"
        let synced = Mutex<[String]>([])
        let careful = ModelLibrary(catalogue: library.catalogue, stateDirectory: folder.path) { path in
            let isThere = FileManager.default.fileExists(atPath: root + "/mine.json")
            let name = path.replacing(/\.new-[-0-9A-F]+/, with: ".new").dropFirst(root.count)
            synced.withLock { $0.append((isThere ? "placed " : "") + name) }
        }
        _ = try await careful.add(path, id: "mine") { _ in }
        #expect(
            synced.withLock { $0 } == [
                "/.new/a/one", "/.new/b", "/.new/a", "/.new", "/.new.json", "placed ", "placed ",
            ])

        let full = ModelLibrary(catalogue: library.catalogue, stateDirectory: folder.path) {
            path throws(VerifiedFolderError) in throw VerifiedFolderError(code: .inputOutput, message: path)
        }
        let error = await #expect(throws: VerifiedFolderError.self) {
            _ = try await full.add(path, id: "other") { _ in }
        }
        #expect(error?.code == .inputOutput)
        let left = try FileManager.default.contentsOfDirectory(atPath: root)
        #expect(left.sorted() == ["mine", "mine.json"])
    }

    @Test(
        "what an interruption left of a model does not keep its name from being used, and is removed at the next start")
    func interrupted() async throws {
        try folder.write("x", to: "models/mine/half")
        try folder.write("x", to: "models/.new-1/model")
        try folder.write("{}", to: "models/.new-1.json")
        let path = try model(["a/one": "1", "b": "2"])
        let added = try await library.add(path, id: "mine") { _ in }
        #expect(try library.state(of: try library.folder(of: "mine")) == .verified(id: "mine"))
        #expect(added.files.count == 2)
        library.removeLeft()
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/models")
        #expect(left.sorted() == ["mine", "mine.json"])
    }

    @Test("a folder with links or pipes is not a model")
    func links() throws {
        let path = try model()
        try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: "/etc/passwd")
        let error = #expect(throws: VerifiedFolderError.self) { try library.state(of: path) }
        #expect(error?.code == .unusable)
    }
}
