import AuditBundle
import Consent
import Foundation
import TestSupport
import Testing

struct HostileBundleTests {
    private let folder: TemporaryFolder
    private let bundle: BundleFixture

    init() throws {
        folder = try TemporaryFolder()
        bundle = try BundleFixture(count: 4)
        try bundle.write(to: folder)
    }

    private func problem(_ path: String? = nil) -> BundleProblem.Code? {
        #expect(throws: BundleProblem.self) { try BundleVerifier().verify(folder: path ?? folder.path) }?.code
    }

    private func appendToSums(_ text: String) throws {
        let path = folder.path + "/SHA256SUMS"
        let sums = try String(contentsOfFile: path, encoding: .utf8) + text
        try folder.write(sums, to: "SHA256SUMS")
        let origin = BundleFixture.origin
        let digest = BundleFixture.digest(sums)
        let note = try #require(try bundle.signer.sign("\(origin)/export\n\(digest)\n"))
        try folder.write(note.data, to: "SHA256SUMS.note")
    }

    @Test("a missing folder, a file in its place and an empty folder have other errors than a forged bundle")
    func noBundle() throws {
        #expect(problem(folder.path + "/nowhere") == .unreadable)
        #expect(problem(folder.path + "/checkpoint") == .unreadable)
        #expect(problem(try TemporaryFolder().path) == .unreadable)
        let empty = try TemporaryFolder()
        #expect(problem(empty.path) == .fileMissing)
    }

    @Test(
        "each file that a bundle needs is missed",
        arguments: [
            "checkpoint", "log.vkey", "scope.json", "records.jsonl", "SHA256SUMS", "SHA256SUMS.note", "report.html",
        ])
    func missing(name: String) throws {
        try FileManager.default.removeItem(atPath: folder.path + "/" + name)
        #expect(problem() == .fileMissing)
    }

    @Test(
        "each file cut off after each of its bytes is found", arguments: ["records.jsonl", "SHA256SUMS", "checkpoint"])
    func truncated(name: String) throws {
        let whole = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
        for length in 0..<whole.count {
            try folder.write(whole.prefix(length), to: name)
            #expect(throws: BundleProblem.self, "\(length) bytes") { try BundleVerifier().verify(folder: folder.path) }
        }
    }

    @Test(
        "a signed list of files that leads out of the bundle, or names itself is refused",
        arguments: [
            "../secret", "/etc/passwd", "./x", "..", "a/../b", "a/b/c", "a//b", "~", "z\u{0}", "z y", "zé", ".hidden",
            "-rf", "SHA256SUMS", "SHA256SUMS.note",
        ])
    func paths(path: String) throws {
        try appendToSums(String(repeating: "0", count: 64) + "  \(path)\n")
        let code = problem()
        #expect(code == .unsafeFile || code == .malformed)
    }

    @Test(
        "lines that sha256sum would not write are refused",
        arguments: [
            "x\n", "\n", "0000  zz\n", String(repeating: "A", count: 64) + "  zz\n",
            String(repeating: "0", count: 64) + " *zz\n",
            String(repeating: "0", count: 64) + "  \n", "\\" + String(repeating: "0", count: 64) + "  zz\n",
            String(repeating: "0", count: 64) + "  " + String(repeating: "z", count: 300) + "\n",
            String(repeating: "0", count: 64) + "  zz",
        ])
    func sums(line: String) throws {
        try appendToSums(line)
        let code = problem()
        #expect([.malformed, .tooLarge, .unsafeFile].contains(code))
    }

    @Test("links, pipes, sockets and deep folders in a bundle are not opened")
    func unsafeFiles() throws {
        let report = folder.path + "/report.html"
        let contents = try Data(contentsOf: URL(fileURLWithPath: report))
        let outside = try TemporaryFolder()
        try outside.write(contents, to: "report.html")
        // The very same bytes behind a link: it is the link that is refused.
        unlink(report)
        symlink(outside.path + "/report.html", report)
        #expect(problem() == .unsafeFile)
        unlink(report)
        mkfifo(report, 0o600)
        #expect(problem() == .unsafeFile)
        unlink(report)
        mkdir(report, 0o700)
        #expect(problem() == .unsafeFile)
        rmdir(report)
        try folder.write(contents, to: "report.html")
        _ = try BundleVerifier().verify(folder: folder.path)

        rename(folder.path + "/notices", outside.path + "/notices")
        symlink(outside.path + "/notices", folder.path + "/notices")
        #expect(problem() == .unsafeFile)
        unlink(folder.path + "/notices")
        rename(outside.path + "/notices", folder.path + "/notices")
        _ = try BundleVerifier().verify(folder: folder.path)

        mkdir(folder.path + "/notices/deeper", 0o700)
        #expect(problem() == .unsafeFile)
        rmdir(folder.path + "/notices/deeper")
        mkfifo(folder.path + "/pipe", 0o600)
        #expect(problem() == .unsafeFile)
    }

    @Test(
        "unsigned files are found, hidden ones too",
        arguments: ["extra.html", ".hidden", "notices/extra.txt"])
    func unexpected(name: String) throws {
        try folder.write("<script>", to: name)
        #expect(problem() == .fileUnexpected)
    }

    @Test("a file's name cannot draw on the terminal that prints it")
    func escapes() throws {
        try folder.write("x", to: "notices/\u{1B}[2J\u{9B}1A\u{202E}\nThe bundle verifies")
        let problem = try #require(
            #expect(throws: BundleProblem.self) { try BundleVerifier().verify(folder: folder.path) })
        #expect(problem.code == .fileUnexpected)
        #expect(problem.file?.contains("\u{1B}") == true)
        #expect(problem.description.contains("The bundle verifies"))
        #expect(
            problem.description.unicodeScalars.allSatisfy {
                ![.control, .format, .lineSeparator].contains($0.properties.generalCategory)
            })
    }

    @Test("huge lines, huge small files and deep JSON are refused without being read whole")
    func huge() throws {
        let records = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/records.jsonl"))
        try folder.write(Data(repeating: 0x61, count: 9 << 20), to: "records.jsonl")
        #expect(problem() == .tooLarge)
        for character in ["[", "{\"leaf\":"] {
            let deep = String(repeating: character, count: 200_000)
            try folder.write(deep + "\n", to: "records.jsonl")
            #expect(problem() == .malformed)
        }
        let disclosure = "[\\\"AAAAAAAAAAAAAAAAAAAAAA\\\"," + String(repeating: "[", count: 100_000)
        try folder.write("{\"leaf\":\"{}\",\"disclosures\":[\"\(disclosure)\"]}\n", to: "records.jsonl")
        #expect(problem() == .recordAltered)
        try folder.write(records, to: "records.jsonl")
        for name in ["checkpoint", "log.vkey", "scope.json", "SHA256SUMS.note"] {
            let contents = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
            try folder.write(contents + Data(repeating: 0x0A, count: 100_000), to: name)
            #expect(problem() == .tooLarge)
            try folder.write(contents, to: name)
        }
        // A sparse file costs its maker nothing.
        truncate(folder.path + "/report.html", 300 << 30)
        #expect(problem() == .tooLarge)
    }

    @Test(
        "records that are no records are refused, each by its line",
        arguments: [
            "\n", "null\n", "[]\n", "{}\n", "{\"leaf\":1,\"disclosures\":[]}\n",
            "{\"leaf\":\"{}\",\"disclosures\":[1]}\n",
            "{\"leaf\":\"\",\"disclosures\":[]}\n", "\u{FEFF}{}\n", "\0\n",
        ])
    func noRecords(line: String) throws {
        let path = folder.path + "/records.jsonl"
        let records = try String(contentsOfFile: path, encoding: .utf8)
        try folder.write(records + line, to: "records.jsonl")
        let code = problem()
        #expect(code == .malformed || code == .recordAltered)
    }

    @Test(
        "a record with an index that no tree has is refused",
        arguments: ["-1", "4", "9223372036854775807", "9223372036854775808", "1e3"])
    func indexes(index: String) throws {
        let path = folder.path + "/records.jsonl"
        let records = try String(contentsOfFile: path, encoding: .utf8)
        try folder.write(records.replacing("\\\"index\\\":3", with: "\\\"index\\\":\(index)"), to: "records.jsonl")
        #expect(try String(contentsOfFile: path, encoding: .utf8) != records)
        let code = problem()
        #expect(code == .recordAltered)
    }

    @Test("a notice under another name than its hash is found")
    func notices() throws {
        let name = try #require(try BundleFixture.files(folder).first { $0.hasPrefix("notices/") })
        let other = name.dropLast(5) + (name.hasSuffix("0.txt") ? "1" : "0") + ".txt"
        rename(folder.path + "/" + name, folder.path + "/" + other)
        try bundle.sign(folder)
        #expect(problem() == .fileAltered)
    }
}
