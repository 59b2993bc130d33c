import Foundation
import Speech
import TestSupport
import Testing

@testable import Commands

@Suite("Sample text from files and folders")
struct OwnWritingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ name: String, _ text: String, age: Double = 0) throws {
        let url = URL(fileURLWithPath: folder.path + "/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000 - age)], ofItemAtPath: url.path)
    }

    @Test("only the texts of a folder and its subfolders are read, the newest first")
    func folders() throws {
        try write("old.txt", "the old one", age: 60)
        try write("deep/er/new.MD", "the new one")
        try write("page.html", "no text")
        try write(".hidden.txt", "a secret")
        try write(".git/note.txt", "a secret")
        try FileManager.default.createSymbolicLink(atPath: folder.path + "/loop", withDestinationPath: folder.path)
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link.txt", withDestinationPath: "/etc/passwd")
        let writing = try OwnWriting([folder.path])
        #expect(writing.text == "the new one\n\nthe old one")
        #expect(writing.notes.isEmpty)
    }

    @Test("a given file is read whatever its name, and only once")
    func named() throws {
        try write("words", "mine")
        #expect(try OwnWriting([folder.path + "/words", folder.path + "/words"]).text == "mine")
    }

    @Test("text over the limit is left out and reported, and smaller older texts are still read")
    func bounds() throws {
        let half = String(repeating: "word ", count: UserWords.longestText / 10)
        try write("newest.txt", half)
        try write("larger.txt", half + half, age: 10)
        try write("older.txt", "small", age: 20)
        let writing = try OwnWriting([folder.path])
        #expect(writing.text == half + "\n\nsmall")
        #expect(writing.text.utf8.count <= UserWords.longestText)
        #expect(writing.notes.count == 1)
        #expect(writing.notes.first?.contains("larger.txt was left out") == true, "\(writing.notes)")
    }

    @Test("a binary file and one in another encoding are left out, with the reason")
    func binary() throws {
        try write("a.txt", "nul \u{0} in it")
        try Data([0x66, 0xFF, 0xFE, 0x6F]).write(to: URL(fileURLWithPath: folder.path + "/b.txt"))
        let writing = try OwnWriting([folder.path])
        #expect(writing.text.isEmpty)
        #expect(
            writing.notes.count == 2 && writing.notes.contains { $0.contains("a.txt is not text") }, "\(writing.notes)")
        #expect(writing.notes.contains { $0.contains("b.txt was left out") })
    }

    @Test("a given file that cannot be read is an error that names it")
    func missing() throws {
        let path = folder.path + "/nothing"
        let error = #expect(throws: CommandError.self) { _ = try OwnWriting([path]) }
        #expect(error?.code == .noInput)
        #expect(error?.message.contains(path) == true)
    }
}
