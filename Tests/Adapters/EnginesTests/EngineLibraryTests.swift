import Cryptography
import Foundation
import LinuxSystem
import Synchronization
import TestSupport
import Testing

@testable import Engines

@Suite("Installed engines")
struct EngineLibraryTests {
    private struct Broken: Error {}

    private let folder: TemporaryFolder
    private let library: EngineLibrary

    init() throws {
        folder = try TemporaryFolder()
        library = EngineLibrary(
            catalogue: EngineCatalogue(engines: [try SampleEngine.entry()]), stateDirectory: folder.path)
    }

    private var left: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/engines")) ?? []).sorted()
    }

    private func prepared(_ entry: EngineEntry? = nil, _ files: [String: String] = SampleEngine.files) throws -> String
    {
        let name = "prepared-\(UUID().uuidString.prefix(4))"
        for (file, text) in files { try folder.write(text, to: name + "/" + file) }
        try folder.write(try EngineLibrary.encoded(try entry ?? SampleEngine.entry()), to: name + "/engine.json")
        return folder.path + "/" + name
    }

    @discardableResult
    private func add(_ path: String, whileUsed: Bool = false) async throws -> InstalledEngine {
        try await library.add(path, isUsed: { _ in whileUsed }, trial: { _, _ in })
    }

    private func refusal(_ path: String, whileUsed: Bool = false) async -> VerifiedFolderError? {
        await #expect(throws: VerifiedFolderError.self) {
            try await library.add(path, isUsed: { _ in whileUsed }) { _, _ in Issue.record("was tried") }
        }
    }

    @Test("an engine is copied, verified, tried and then there; removing it leaves nothing")
    func adding() async throws {
        let path = try prepared()
        var tried: [String] = []
        let engine = try await library.add(path, isUsed: { _ in false }) { entry, copy in
            #expect(entry.id == "sample")
            tried.append(copy)
            #expect(library.installed().isEmpty, "it is not there before it was tried")
        }
        #expect(tried.count == 1 && tried[0] != path)
        #expect(engine.folder == folder.path + "/engines/sample" && left == ["sample"])
        #expect(library.installed() == [engine])
        #expect(try library.verified("sample") == engine)
        let lines = SampleEngine.files.sorted { $0.key < $1.key }.map {
            "\(SampleEngine.sha256($0.value))  \($0.key)\n"
        }
        #expect(engine.digest == SampleEngine.sha256(lines.joined()))
        #expect(await refusal(path)?.code == .exists)
        try library.remove("sample", isUsed: false)
        #expect(library.installed().isEmpty && left.isEmpty)
        #expect(throws: VerifiedFolderError.self) { try library.remove("sample", isUsed: false) }
    }

    @Test("an installed engine with a changed, missing or additional file is not used, and can be installed again")
    func damage() async throws {
        try await add(try prepared())
        try folder.write("other", to: "engines/sample/model")
        let error = #expect(throws: VerifiedFolderError.self) { try library.verified("sample") }
        #expect(error?.code == .damaged && error?.message.contains("model was changed") == true)
        #expect(error?.message.contains("voicegate engine install sample") == true)
        try folder.write(SampleEngine.files["model"] ?? "", to: "engines/sample/model")
        #expect(try library.faults(of: "sample").isEmpty)
        try folder.write("x", to: "engines/sample/libextra.so")
        #expect(try library.faults(of: "sample") == [FileFault(file: "libextra.so", kind: .added)])
        try await add(try prepared(), whileUsed: true)
        #expect(try library.faults(of: "sample").isEmpty && left == ["sample"])
    }

    @Test("an engine in use is neither removed nor replaced by another version; an unused one is replaced")
    func used() async throws {
        let own = try SampleEngine.entry(id: "own")
        let changed = try SampleEngine.entry(id: "own", model: "another model")
        try await add(try prepared(own))
        let error = #expect(throws: VerifiedFolderError.self) { try library.remove("own", isUsed: true) }
        #expect(error?.code == .inUse && error?.message.contains("voicegate engine use pocketsphinx") == true)
        let path = try prepared(changed, ["lib.so": "library", "model": "another model"])
        #expect(await refusal(path, whileUsed: true)?.code == .inUse)
        #expect(library.installed().map(\.entry) == [own])
        try await add(path)
        #expect(library.installed().map(\.entry) == [changed] && left == ["own"])
    }

    @Test(
        "files that are not those of the entry are not installed, and nothing is left",
        arguments: [
            ["lib.so": "library", "model": "wrong"], ["lib.so": "library"],
            ["lib.so": "library", "model": "model", "more": "x"],
        ])
    func otherFiles(_ files: [String: String]) async throws {
        #expect(await refusal(try prepared(nil, files))?.code == .damaged)
        #expect(left.isEmpty)
    }

    @Test("an engine that has only the name of one in the catalogue is not installed")
    func otherEntry() async throws {
        let path = try prepared(
            try SampleEngine.entry(model: "another model"), ["lib.so": "library", "model": "another model"])
        #expect(await refusal(path)?.code == .damaged)
        #expect(left.isEmpty)
    }

    @Test("an engine that does not start, that has links, or that is not described is not installed")
    func refused() async throws {
        let path = try prepared()
        await #expect(throws: Broken.self) {
            try await library.add(path, isUsed: { _ in false }) { _, _ in throw Broken() }
        }
        try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: "/etc/passwd")
        #expect(await refusal(path)?.code == .unusable)
        let other = try prepared()
        try FileManager.default.removeItem(atPath: other + "/engine.json")
        #expect(await refusal(other)?.code == .unusable)
        #expect(left.isEmpty)
    }

    @Test("all of an engine is on the disk before it is at its place, and its place before it is reported")
    func powerCut() async throws {
        let path = try prepared()
        let root = folder.path + "/engines"
        let isPlaced = { @Sendable in FileManager.default.fileExists(atPath: root + "/sample") }
        let synced = Mutex<[String]>([])
        let careful = EngineLibrary(
            catalogue: library.catalogue, stateDirectory: folder.path
        ) { path in
            let name = path.replacing(/\.new-[-0-9A-F]+/, with: ".new")
            synced.withLock { $0.append((isPlaced() ? "placed " : "") + name.dropFirst(root.count)) }
        }
        _ = try await careful.add(path, isUsed: { _ in false }) { _, _ in }
        let files = ["engine.json"] + SampleEngine.files.keys
        #expect(synced.withLock { $0 } == files.sorted().map { "/.new/" + $0 } + ["/.new", "placed ", "placed "])
        try library.remove("sample", isUsed: false)

        let full = EngineLibrary(
            catalogue: library.catalogue, stateDirectory: folder.path
        ) { path throws(VerifiedFolderError) in throw VerifiedFolderError(code: .inputOutput, message: path) }
        let error = await #expect(throws: VerifiedFolderError.self) {
            _ = try await full.add(path, isUsed: { _ in false }) { _, _ in }
        }
        #expect(error?.code == .inputOutput && left.isEmpty)
    }

    @Test("the service removes what an interrupted one left, and nothing else")
    func interrupted() async throws {
        try await add(try prepared())
        try folder.write("x", to: "engines/.new-1/model")
        try folder.write("x", to: "engines/.old-2/model")
        try folder.write("{}", to: "engines/choices.json")
        #expect(library.installed().count == 1)
        library.removeLeft()
        #expect(left == ["choices.json", "sample"])
    }
}
