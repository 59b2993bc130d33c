import Foundation
import TestSupport
import Testing

@testable import Texts

@Suite("Tables of texts")
struct StringTableTests {
    private static let table = StringTable(
        Array(
            """
            /* For translators. */
            "a.files" = "{count} files of {name}";
            "a.files#one" = "One file of {name}";
            "a.plain" = "“\\"\\\\”
            next";
            "a.next" = "{name} asks";
            """.utf8))

    @Test("values replace placeholders once; a value that looks like a placeholder stays")
    func values() {
        #expect(Self.table.text("a.files", ["count": 3, "name": "{count}"]) == "3 files of {count}")
        #expect(Self.table.text("a.next", ["name": "A"]) == "A asks")
        #expect(Self.table.text("a.plain") == "“\"\\”\nnext")
    }

    @Test("a count of one has its own text, where the table has one")
    func one() {
        #expect(Self.table.text("a.files", ["count": 1, "name": "A"]) == "One file of A")
        #expect(Self.table.text("a.next", ["name": "A", "count": 1]) == "A asks")
    }

    @Test("a member of a family is absent for an unknown code")
    func members() {
        #expect(Self.table.member("a.plain") != nil)
        #expect(Self.table.member("a.other") == nil)
    }

    /// What `generate-texts --check` prints, and its exit code, with changed tables.
    private func check(_ changes: [(file: String, text: String, replacement: String)]) throws -> (String, Int32) {
        let folder = try FileManager.default.url(
            for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: Checkout.root, create: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let base = folder.appending(path: "Base")
        try FileManager.default.copyItem(at: Checkout.root.appending(path: "Sources/Base"), to: base)
        for change in changes {
            let file = base.appending(path: "Texts/\(change.file)")
            let text = try String(contentsOf: file, encoding: .utf8)
            try #require(text.contains(change.text))
            try Data(text.replacing(change.text, with: change.replacement).utf8).write(to: file)
        }
        return try Self.run(base)
    }

    private static func run(_ base: URL) throws -> (String, Int32) {
        let (process, output) = (Process(), Pipe())
        process.executableURL = base.appending(path: "generate-texts")
        (process.arguments, process.standardOutput, process.standardError) = (["--check"], output, output)
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return (text, process.terminationStatus)
    }

    @Test("the functions are those of the tables: else run Sources/Base/generate-texts")
    func current() throws {
        #expect(try Self.run(Checkout.root.appending(path: "Sources/Base")) == ("", 0))
    }

    @Test(
        "a table that lacks a key or a placeholder is refused, and so is an entry that is not one",
        arguments: [
            (
                "ja.strings", "\"permission.collected\"", "\"permission.other\"",
                "ja.strings lacks permission.collected\n"
            ),
            ("ja.strings", "\"permission.collected\"", "\"permission.other\"", "ja.strings has permission.other\n"),
            (
                "ko.strings", "\"permission.more\" = \"…{count}", "\"permission.more\" = \"…",
                "ko.strings: other placeholders than in English: permission.more\n"
            ),
            ("en.strings", "\"permission.more\" =", "\"permission.more\" ", "en.strings: not an entry: "),
            (
                "en.strings", "\"permission.kind:recording\"", "\"permission.kind:record\"",
                "permission.kind and DataKind differ: record\n"
            ),
        ])
    func refused(file: String, text: String, replacement: String, problem: String) throws {
        let (output, code) = try check([(file, text, replacement)])
        #expect(output.contains(problem) && code == 1, "\(output)")
    }
}
