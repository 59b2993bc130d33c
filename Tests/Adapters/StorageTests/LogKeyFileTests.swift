import Consent
import Foundation
import TestSupport
import Testing

@testable import Storage

struct LogKeyFileTests {
    private static let name = "voicegate.local/log/00112233445566778899aabbccddeeff"
    private let directory = TemporaryDirectory()
    private var path: String { directory.state + "/consent.key" }

    private func file() throws -> LogKeyFile { try LogKeyFile(directory: directory.state) }

    private func contents() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    private func refusal(_ name: String = name, hasSigned: Bool = false) throws -> StorageError.Code? {
        let file = try file()
        return #expect(throws: StorageError.self) { try file.loadOrCreate(name: name, hasSigned: hasSigned) }?.code
    }

    @Test("the first start makes a key, the service's user's alone, and later ones find it")
    func creation() throws {
        let keys = try file().loadOrCreate(name: Self.name, hasSigned: false)
        #expect(directory.mode(of: path) == 0o600)
        #expect(directory.mode(of: directory.state) == 0o700)
        #expect(try file().loadOrCreate(name: Self.name, hasSigned: true).verifiers == keys.verifiers)
        #expect(try contents() == keys.signer.secretText + "\n")
        #expect(keys.former.isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.state) == ["consent.key"])
    }

    @Test("a rotated key is kept for verification alone")
    func rotation() async throws {
        let first = try file().loadOrCreate(name: Self.name, hasSigned: false)
        let second = try #require(first.rotated())
        try await file().replace(second)
        let third = try #require(second.rotated())
        try await file().replace(third)
        let read = try #require(try file().load(name: Self.name))
        #expect(read.former == [first.signer.verifier, second.signer.verifier])
        #expect(read.signer.secretText == third.signer.secretText)
        let text = try contents()
        #expect(!text.contains(first.signer.secretText.suffix(40)))
        #expect(!text.contains(second.signer.secretText.suffix(40)))
        #expect(directory.mode(of: path) == 0o600)
    }

    @Test("a missing key that has signed is not replaced unless the administrator allows it")
    func lostKey() throws {
        #expect(try refusal(hasSigned: true) == .keyLost)
        #expect(!FileManager.default.fileExists(atPath: path))
        let keys = try file().loadOrCreate(name: Self.name, hasSigned: true, replacesLost: true)
        #expect(try file().load(name: Self.name)?.verifiers == keys.verifiers)
    }

    @Test("an existing key is not replaced because the administrator once said that a lost one may be")
    func keptKey() throws {
        let keys = try file().loadOrCreate(name: Self.name, hasSigned: false)
        let again = try file().loadOrCreate(name: Self.name, hasSigned: true, replacesLost: true)
        #expect(again.verifiers == keys.verifiers)
    }

    @Test("another log's key, and what is no key, are refused and left as they are")
    func foreignKeys() throws {
        let good = try file().loadOrCreate(name: Self.name, hasSigned: false).signer.secretText
        #expect(try refusal("voicegate.local/log/other") == .corrupt)
        let other = try #require(NoteSigner(name: "voicegate.local/log/other")).verifier.text
        let wrongs = [
            "", "\n", good, good + "\n\n", "\n" + good + "\n", good + "\n" + other + "\n", other + "\n" + good + "\n",
            good + "\n" + good + "\n", good.replacing("PRIVATE", with: "PUBLIC") + "\n", "é\n",
            String(repeating: "x", count: 300_000),
        ]
        for wrong in wrongs {
            try Data(wrong.utf8).write(to: URL(fileURLWithPath: path))
            chmod(path, 0o600)
            #expect(try refusal() == .corrupt)
            #expect(try contents() == wrong)
        }
    }

    @Test("a key that others may read, a link and a folder are refused")
    func unsafeFiles() throws {
        _ = try file().loadOrCreate(name: Self.name, hasSigned: false)
        chmod(path, 0o640)
        #expect(try refusal() == .cannotOpen)
        chmod(path, 0o600)
        let aside = directory.path + "/aside"
        rename(path, aside)
        symlink(aside, path)
        #expect(try refusal() == .cannotOpen)
        unlink(path)
        mkdir(path, 0o700)
        #expect(try refusal() == .cannotOpen)
        rmdir(path)
        mkfifo(path, 0o600)
        #expect(try refusal() == .cannotOpen)
    }

    @Test("a link that waits where the new file is written is not followed")
    func plantedDraft() async throws {
        let keys = try file().loadOrCreate(name: Self.name, hasSigned: false)
        let victim = directory.path + "/victim"
        try Data("untouched".utf8).write(to: URL(fileURLWithPath: victim))
        symlink(victim, path + ".new")
        let next = try #require(keys.rotated())
        try await file().replace(next)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "untouched")
        #expect(try file().load(name: Self.name)?.signer.verifier == next.signer.verifier)
    }

    @Test("when the directory cannot be written the old keys stay")
    func failedReplacement() async throws {
        let keys = try file().loadOrCreate(name: Self.name, hasSigned: false)
        // A folder cannot be unlinked, and not be opened for writing, by nobody.
        mkdir(path + ".new", 0o700)
        let next = try #require(keys.rotated())
        await #expect(throws: StorageError.self) { try await file().replace(next) }
        #expect(try file().load(name: Self.name)?.signer.verifier == keys.signer.verifier)
    }

    @Test("the last checkpoint is kept as it was signed, and nothing else is taken for one")
    func checkpoint() async throws {
        let files = try CheckpointFiles(directory: directory.state)
        let path = directory.state + "/" + CheckpointFiles.checkpointName
        #expect(try await files.lastCheckpoint() == nil)
        let signer = try #require(NoteSigner(name: Self.name))
        for size in 1...3 {
            let tree = MemoryTree(leaves: (0..<size).map { Data([UInt8($0)]) })
            let checkpoint = try #require(Checkpoint(origin: Self.name, head: tree.head(size)))
            let note = try #require(try signer.sign(checkpoint.text))
            try await files.replace(note)
            #expect(try await files.lastCheckpoint() == note)
        }
        #expect(directory.mode(of: path) == 0o600)
        try Data("no note".utf8).write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        await #expect(throws: StorageError.self) { try await files.lastCheckpoint() }
    }
}
