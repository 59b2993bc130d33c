import Foundation
import LinuxSystem
import TestSupport
import Testing

@Suite("Folders that are copied and verified", .timeLimit(.minutes(1)))
struct VerifiedFolderTests {
    enum Change: CaseIterable {
        case pipe, link, folder, longer, shorter, gone
    }

    private let folder: TemporaryFolder
    private var source: String { folder.path + "/source" }
    private var target: String { folder.path + "/target" }

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("one", to: "source/a/one")
        try folder.write("two", to: "source/two")
    }

    private func make(_ change: Change, at path: String) throws {
        if ![.longer, .shorter].contains(change) { try FileManager.default.removeItem(atPath: path) }
        switch change {
        case .pipe: try #require(mkfifo(path, 0o600) == 0)
        case .link: try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/zero")
        case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        case .longer: try #require(truncate(path, 1 << 30) == 0)
        case .shorter: try #require(truncate(path, 2) == 0)
        case .gone: break
        }
    }

    @Test("a copy has the same files, which only its owner reads")
    func copied() throws {
        try VerifiedFolder(source).copy(to: target)
        let copy = try VerifiedFolder(target)
        #expect(copy.files == ["a/one", "two"] && copy.bytes == 6)
        let digests = FileDigests()
        #expect(try copy.digests(digests) == VerifiedFolder(source).digests(digests))
        let attributes = try FileManager.default.attributesOfItem(atPath: target + "/two")
        #expect(attributes[.posixPermissions] as? Int == 0o600)
    }

    @Test(
        "a replacement of a file since the folder was listed is neither waited for nor copied",
        arguments: Change.allCases)
    func changed(_ change: Change) throws {
        let listed = try VerifiedFolder(source)
        try make(change, at: source + "/two")
        let error = #expect(throws: VerifiedFolderError.self) { try listed.copy(to: target) }
        #expect(error?.code == .unusable && error?.message.contains("two changed while it was copied") == true)
        let copied = try? FileManager.default.attributesOfItem(atPath: target + "/two")
        #expect((copied?[.size] as? Int ?? 0) <= 3)
    }

    @Test("a pipe and a link have no digest, and a pipe is not waited for", arguments: [Change.pipe, .link])
    func digests(_ change: Change) throws {
        let listed = try VerifiedFolder(source)
        try make(change, at: source + "/two")
        #expect(failure(VerifiedFolderError.self) { try listed.digests(FileDigests()) }?.code == .inputOutput)
    }

    @Test("files are at most two folders down, and a folder is written to the disk after those in it")
    func depth() throws {
        try folder.write("three", to: "source/a/b/three")
        let listed = try VerifiedFolder(source)
        #expect(listed.files == ["a/b/three", "a/one", "two"] && listed.folders == ["a/b", "a"])
        try listed.copy(to: target)
        var written: [String] = []
        try VerifiedFolder(target).sync { path throws(VerifiedFolderError) in
            written.append(String(path.dropFirst(target.count)))
        }
        #expect(written == ["/a/b/three", "/a/one", "/two", "/a/b", "/a", ""])
        try folder.write("four", to: "source/a/b/c/four")
        #expect(failure(VerifiedFolderError.self) { try VerifiedFolder(source) }?.code == .unusable)
    }
}
