import Authorization
import Consent
import Foundation
import Glibc
import ProgramSupport
import TestSupport
import Testing

@testable import AuditExport

@Suite struct RecordExportTests {
    private let fixture: BundleFixture
    private let folder: TemporaryFolder
    private let trust: ExportTrust

    init() throws {
        fixture = try BundleFixture(count: 12, erased: [4])
        folder = try TemporaryFolder()
        trust = try #require(ExportTrust(note: fixture.checkpoint(), keys: [fixture.signer.verifier]))
    }

    private var path: String { folder.path + "/out" }
    private var left: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] }

    private func scope(client: String? = nil) -> ExportScope {
        ExportScope(
            log: BundleFixture.origin, size: 12,
            filter: AuditFilter(client: client.flatMap(ClientIdentifier.init(rawValue:))),
            language: .japanese,
            madeAt: Date(timeIntervalSince1970: 1_790_000_100), timeZone: .gmt, version: "1")
    }

    private func mode(_ path: String) -> UInt32 {
        var status = stat()
        lstat(path, &status)
        return status.st_mode & 0o777
    }

    @discardableResult
    private func make(_ format: ExportFormat, _ entries: [AuditEntry], client: String? = nil) async throws -> String {
        let export = try RecordExport(format, scope: scope(client: client), trust: trust, path: path)
        do {
            try await export.add(entries)
            let digest = try await export.finish(nil)
            try await export.commit(try fixture.signer.sign("\(BundleFixture.origin)/export\n\(digest)\n"))
            return digest
        } catch {
            await export.discard()
            throw error
        }
    }

    @Test("a bundle of the whole log has all files, for its owner alone, and its sums are right")
    func bundle() async throws {
        let digest = try await make(.bundle, fixture.entries)
        let files = try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
        #expect(
            files == [
                "README.txt", "SHA256SUMS", "SHA256SUMS.note", "accesses.csv", "checkpoint", "consent.jsonld",
                "decisions.csv", "log.vkey", "notices",
                "notices/\(BundleFixture.digest("May notes use the microphone?")).txt", "records.jsonl", "report.html",
                "scope.json",
            ])
        #expect([path, path + "/notices"].allSatisfy { mode($0) == 0o700 })
        #expect(files.allSatisfy { $0 == "notices" || mode("\(path)/\($0)") == 0o600 })
        let sums = try RunningProgram(
            ["/bin/sh", "-c", "cd \"$0\" && sha256sum --strict --check SHA256SUMS && sha256sum SHA256SUMS", path],
            environment: [:], isForeground: false)
        #expect(await sums.end() == 0, "\(sums.errorText)")
        #expect(sums.lines.count == files.count - 2)
        #expect(sums.lines.last?.hasPrefix(digest) == true)
        #expect(left == ["out"])
        let readme = try String(contentsOfFile: path + "/README.txt", encoding: .utf8)
        #expect(readme.contains("だれが") && !readme.contains("proofs/"))
    }

    @Test("the README of a bundle lists its files and folders in each language", arguments: Language.allCases)
    func readme(language: Language) {
        for isWhole in [true, false] {
            let text = language.reportWording.readme(log: "log", madeAt: "then", whole: isWhole)
            for name in BundleLayout.required.subtracting(["README.txt"]) { #expect(text.contains(name)) }
            for folder in BundleLayout.Folder.allCases {
                #expect(text.contains("\n\(folder.rawValue)/ ") == (folder == .notices || !isWhole), "\(folder)")
            }
        }
    }

    @Test("the records of a bundle are the entries, each on its line")
    func records() async throws {
        try await make(.bundle, fixture.entries)
        let lines = try String(contentsOfFile: path + "/records.jsonl", encoding: .utf8).split(separator: "\n")
        #expect(try lines.map { try JSONDecoder().decode(AuditEntry.self, from: Data($0.utf8)) } == fixture.entries)
    }

    @Test(
        "a whole log's bundle is not made when a record is missing, put elsewhere or changed, and nothing is left",
        arguments: ["last", "first", "middle", "order", "fields", "twice"])
    func unproven(damage: String) async throws {
        var entries = fixture.entries
        switch damage {
        case "last": entries.removeLast()
        case "first": entries.removeFirst()
        case "middle": entries.remove(at: 6)
        case "order": entries.swapAt(6, 7)
        case "fields":
            let texts = entries[6].disclosures.map { $0.replacing("Füße", with: "Hand") }
            entries[6] = AuditEntry(leaf: entries[6].leaf, disclosures: texts)
        default: entries.append(entries[11])
        }
        let damaged = entries
        #expect(await failure(ExportError.self) { try await make(.bundle, damaged) }?.code == .doesNotVerify)
        #expect(left.isEmpty)
    }

    @Test("a part of a log becomes a bundle only with the proofs of its records")
    func part() async throws {
        let bare = [fixture.entries[3]]
        var error = await #expect(throws: ExportError.self) {
            try await make(.bundle, bare, client: "org.example.notes")
        }
        #expect(error?.code == .doesNotVerify)
        let tree = MemoryTree(leaves: fixture.entries.map { Data($0.leaf.utf8) })
        let other = try #require(tree.inclusion(of: 5, in: 12)).hashes.map(\.base64)
        let wrong = [AuditEntry(leaf: bare[0].leaf, disclosures: bare[0].disclosures, proof: other)]
        error = await #expect(throws: ExportError.self) { try await make(.bundle, wrong, client: "org.example.notes") }
        #expect(error?.code == .doesNotVerify)
        #expect(left.isEmpty)
        let right = try #require(tree.inclusion(of: 3, in: 12)).hashes.map(\.base64)
        try await make(
            .bundle, [AuditEntry(leaf: bare[0].leaf, disclosures: bare[0].disclosures, proof: right)],
            client: "org.example.notes")
        let proof = try Data(contentsOf: URL(fileURLWithPath: path + "/proofs/3.tlog-proof"))
        #expect(OfflineProof(proof)?.proves(fixture.entries[3].leafHash, signedBy: [fixture.signer.verifier]) == true)
    }

    @Test("nothing is written over, whatever it is", arguments: ExportFormat.allCases)
    func exists(format: ExportFormat) async throws {
        try folder.write("mine", to: "out")
        #expect(await failure(ExportError.self) { try await make(format, fixture.entries) }?.code == .exists)
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        #expect(left == ["out"])
    }

    @Test("a file that appears while an export is made is not overwritten either")
    func appears() async throws {
        let export = try RecordExport(.jsonl, scope: scope(), trust: trust, path: path)
        try await export.add(fixture.entries)
        _ = try await export.finish(nil)
        try folder.write("mine", to: "out")
        #expect(await failure(ExportError.self) { try await export.commit(nil) }?.code == .exists)
        await export.discard()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
        #expect(left == ["out"])
    }

    @Test("an export that is given up leaves nothing", arguments: ExportFormat.allCases)
    func discarded(format: ExportFormat) async throws {
        let export = try RecordExport(format, scope: scope(), trust: trust, path: path)
        try await export.add(Array(fixture.entries.prefix(5)))
        #expect(!left.isEmpty && !left.contains("out"))
        await export.discard()
        #expect(left.isEmpty)
    }

    @Test("a folder that is not there, or not writable, is said")
    func unwritable() async throws {
        for place in ["/proc/out", folder.path + "/none/out"] {
            let error = #expect(throws: ExportError.self) {
                try RecordExport(.bundle, scope: scope(), trust: trust, path: place)
            }
            #expect(error?.code == .cannotWrite)
            #expect(error?.message.contains("cannot be written") == true)
        }
    }

    @Test("a full disk is said, and nothing counts as written")
    func full() async throws {
        let descriptor = open("/dev/full", O_WRONLY)
        defer { close(descriptor) }
        let export = try RecordExport(.jsonl, scope: scope(), trust: trust, path: nil, standardOutput: descriptor)
        try await export.add(fixture.entries)
        #expect(await failure(ExportError.self) { try await export.finish(nil) }?.code == .cannotWrite)
    }

    @Test("a checkpoint that another key signed is not trusted")
    func stranger() throws {
        let other = try BundleFixture(count: 12, seed: 9)
        #expect(ExportTrust(note: try fixture.checkpoint(), keys: [other.signer.verifier]) == nil)
    }

    @Test(
        "each of the other formats is one file that only its owner may read",
        arguments: [ExportFormat.jsonl, .csv, .jsonld, .html, .art30])
    func single(format: ExportFormat) async throws {
        let digest = try await make(format, fixture.entries)
        #expect(mode(path) == 0o600 && left == ["out"])
        #expect(BundleFixture.digest(try String(contentsOfFile: path, encoding: .utf8)) == digest)
    }
}
