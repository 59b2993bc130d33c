import Consent
import Foundation
import TestSupport
import Testing

@testable import Storage

struct LogKeyFileTests {
    private static let name = "voicegate.local/log/00112233445566778899aabbccddeeff"
    private let directory = TemporaryDirectory()
    private var path: String { directory.state + "/consent.key" }

    private let machine = MachineMark(identifier: "0123456789abcdef0123456789abcdef")

    private func file(_ machine: MachineMark? = nil) throws -> LogKeyFile {
        try LogKeyFile(directory: directory.state, machine: machine)
    }

    private func contents() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// New keys in the file.
    private func made() async throws -> LogKeys {
        let keys = try #require(NoteSigner(name: Self.name).flatMap { LogKeys(signer: $0) })
        try await file().replace(keys)
        return keys
    }

    private func load(_ machine: MachineMark? = nil) throws -> StoredKeys? { try file(machine).load(name: Self.name) }

    private func refusal() -> StorageError.Code? { #expect(throws: StorageError.self) { try load() }?.code }

    @Test("the file is the service's user's alone and is found again")
    func creation() async throws {
        #expect(try load() == nil)
        let keys = try await made()
        #expect(directory.mode(of: path) == 0o600)
        #expect(directory.mode(of: directory.state) == 0o700)
        #expect(try load()?.keys?.verifiers == keys.verifiers)
        #expect(try contents() == keys.signer.secretText + "\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.state) == ["consent.key"])
    }

    @Test("a rotated key is kept for verification alone")
    func rotation() async throws {
        let first = try await made()
        let second = try #require(first.preparingNext()?.completed())
        let old = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
        try await file().replace(second)
        // Its blocks are free now, and may be read from the disk.
        #expect(try #require(try old.readToEnd()).allSatisfy { $0 == 0 })
        let third = try #require(second.preparingNext()?.completed())
        try await file().replace(third)
        let read = try #require(try load()?.keys)
        #expect(read.former == [first.signer.verifier, second.signer.verifier])
        #expect(read.signer.secretText == third.signer.secretText)
        let text = try contents()
        #expect(!text.contains(first.signer.secretText.suffix(40)))
        #expect(!text.contains(second.signer.secretText.suffix(40)))
        #expect(directory.mode(of: path) == 0o600)
    }

    @Test("a file that is replaced, and overwritten, while it is read is read again")
    func replacedWhileRead() throws {
        let file = DurableFile(try StateDirectory(path: directory.state), name: "consent.key", limit: 100)
        try file.replace(with: Data("first".utf8))
        var contents = ["second", "third"]
        let read = try file.contents {
            if !contents.isEmpty { try file.replace(with: Data(contents.removeFirst().utf8), wiping: true) }
        }
        #expect(read.map { String(decoding: $0, as: UTF8.self) } == "third")
        #expect(try file.contents { unlink(path) } == nil)
    }

    @Test("a key with a second hard link is kept, and a symbolic link is not followed")
    func otherName() async throws {
        let keys = try await made()
        let next = try #require(keys.preparingNext()?.completed())
        let text = try contents()
        let other = directory.path + "/other"
        link(path, other)
        let error = await #expect(throws: StorageError.self) { try await file().replace(next) }
        #expect(error?.code == .notWritable && error?.message.contains("hard link") == true)
        #expect(try contents() == text)
        #expect(try String(contentsOfFile: other, encoding: .utf8) == text)
        unlink(path)
        symlink(other, path)
        await #expect(throws: StorageError.self) { try await file().replace(next) }
        #expect(try String(contentsOfFile: other, encoding: .utf8) == text)
        unlink(path)
        rename(other, path)
        try await file().replace(next)
        #expect(try load()?.keys?.signer.verifier == next.signer.verifier)
    }

    @Test("a draft that an interruption left is overwritten before it is removed")
    func leftDraft() async throws {
        let keys = try await made()
        try Data("secret".utf8).write(to: URL(fileURLWithPath: path + ".new"))
        let left = try FileHandle(forReadingFrom: URL(fileURLWithPath: path + ".new"))
        try await file().replace(keys)
        #expect(try left.readToEnd() == Data(count: 6))
    }

    @Test("the next key is stored beside the one that signs, and also in a backup")
    func nextKey() async throws {
        let prepared = try #require(try await made().preparingNext())
        try await file(machine).replace(prepared)
        let text = try contents()
        for data in [Data(text.utf8), LogKeyFile.marked(Data(text.utf8), as: .backup)] {
            try data.write(to: URL(fileURLWithPath: path))
            chmod(path, 0o600)
            let read = try #require(try load(machine)?.keys)
            #expect(read.next?.secretText == prepared.next?.secretText)
            #expect(read.verifiers == prepared.verifiers)
        }
        let completed = try #require(prepared.completed())
        try await file(machine).replace(completed)
        #expect(try !contents().contains(prepared.signer.secretText.suffix(40)))
        #expect(try !contents().contains("next "))
    }

    @Test("a key that the log does not name yet is alone, as the next one, until it is named")
    func firstKey() async throws {
        let signer = try #require(NoteSigner(name: Self.name))
        try await file(machine).replace(LogKeys(unnamed: signer))
        #expect(try contents().hasSuffix("\nnext \(signer.secretText)\n"))
        let stored = try #require(try load(machine))
        #expect(stored.keys?.isUnnamed == true && stored.keys?.signer.secretText == signer.secretText)
        #expect(!stored.isCopy && !stored.isUnmarked)
        try await file(machine).replace(try #require(LogKeys(signer: signer)))
        #expect(try load(machine)?.keys?.isUnnamed == false)
    }

    @Test(
        "a file of another machine, or of a backup, is a copy; one without a mark, or on a machine without one, is not")
    func machines() async throws {
        let keys = try await made()
        #expect(try load(machine)?.isCopy == false)
        #expect(try load(machine)?.isUnmarked == true)
        #expect(try load()?.isUnmarked == false)
        try await file(machine).replace(keys)
        #expect(try load(machine)?.isUnmarked == false)
        #expect(try contents().hasPrefix("machine "))
        #expect(try !contents().contains("0123456789abcdef"))
        #expect(try load(machine)?.isCopy == false)
        #expect(try load()?.isCopy == false)
        let other = MachineMark(identifier: String(repeating: "a", count: 32))
        #expect(try load(other)?.isCopy == true)
        let backup = LogKeyFile.marked(Data(try contents().utf8), as: .backup)
        try backup.write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        for machine in [machine, other, nil] {
            let stored = try #require(try load(machine))
            #expect(stored.isCopy && stored.keys?.verifiers == keys.verifiers)
        }
        for wrong in ["", "uninitialized\n", "0123", String(repeating: "g", count: 32)] {
            #expect(MachineMark(identifier: wrong) == nil)
        }
    }

    @Test("another log's key, and anything else, are not keys of this log and stay as they are")
    func foreignKeys() async throws {
        let good = try await made().signer.secretText
        let elsewhere = try #require(try file().load(name: "voicegate.local/log/other"))
        #expect(elsewhere.keys == nil)
        let other = try #require(NoteSigner(name: "voicegate.local/log/other")).verifier.text
        let wrongs = [
            "", "\n", good, good + "\n\n", "\n" + good + "\n", good + "\n" + other + "\n", other + "\n" + good + "\n",
            good + "\n" + good + "\n", good.replacing("PRIVATE", with: "PUBLIC") + "\n", "é\n",
            "machine backup\n", "machine x\n" + good + "\n", "machine backup\nmachine backup\n" + good + "\n",
            "next " + good + "\n" + good + "\n", "next x\n" + good + "\n", "next x\n",
            "next " + good + "\nnext " + good + "\n",
        ]
        for wrong in wrongs {
            try Data(wrong.utf8).write(to: URL(fileURLWithPath: path))
            chmod(path, 0o600)
            let stored = try #require(try load())
            #expect(stored.keys == nil, "\(wrong)")
            #expect(try contents() == wrong)
        }
        try Data(String(repeating: "x", count: 300_000).utf8).write(to: URL(fileURLWithPath: path))
        #expect(refusal() == .corrupt)
    }

    @Test("a key that others may read, a link and a folder are refused")
    func unsafeFiles() async throws {
        _ = try await made()
        chmod(path, 0o640)
        #expect(refusal() == .cannotOpen)
        chmod(path, 0o600)
        let aside = directory.path + "/aside"
        rename(path, aside)
        for make in [{ symlink(aside, path) }, { mkdir(path, 0o700) }, { mkfifo(path, 0o600) }] as [() -> Int32] {
            #expect(make() == 0)
            #expect(refusal() == .cannotOpen)
            #expect(remove(path) == 0)
        }
    }

    @Test("a link that waits where the new file is written is not followed")
    func plantedDraft() async throws {
        let keys = try await made()
        let victim = directory.path + "/victim"
        try Data("untouched".utf8).write(to: URL(fileURLWithPath: victim))
        symlink(victim, path + ".new")
        let next = try #require(keys.preparingNext()?.completed())
        try await file().replace(next)
        #expect(try String(contentsOfFile: victim, encoding: .utf8) == "untouched")
        #expect(try load()?.keys?.signer.verifier == next.signer.verifier)
    }

    @Test("when the directory cannot be written the old keys stay")
    func failedReplacement() async throws {
        let keys = try await made()
        // A folder can be neither unlinked nor opened for writing, even by root.
        mkdir(path + ".new", 0o700)
        let next = try #require(keys.preparingNext()?.completed())
        await #expect(throws: StorageError.self) { try await file().replace(next) }
        #expect(try load()?.keys?.signer.verifier == keys.signer.verifier)
    }

    @Test("the last checkpoint is kept as it was signed")
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
            #expect(try await files.lastCheckpoint() == note.data)
        }
        #expect(directory.mode(of: path) == 0o600)
    }
}
