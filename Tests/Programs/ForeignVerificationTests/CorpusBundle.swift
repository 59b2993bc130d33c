import AuditBundle
import AuditExport
import Consent
import Foundation
import TestSupport

/// A bundle of the corpus while it is being made or broken.
final class CorpusBundle {
    let log: BundleFixture
    /// Indexes of its records; `nil`: the whole log.
    let chosen: [Int]?
    let folder: TemporaryFolder
    let outside: TemporaryFolder
    /// The path that the verifiers get.
    var path: String
    /// A file with keys for the verifiers.
    var keys: String?
    /// Files with checkpoints for the verifiers.
    var held: [String] = []
    var random: SeededGenerator

    /// Writes a valid bundle.
    init(_ log: BundleFixture, part: Bool, seed: UInt64, continuing earlier: [Int] = []) throws {
        self.log = log
        chosen = part ? [0, 1, 2, log.entries.count - 2, log.entries.count - 1] : nil
        folder = try TemporaryFolder()
        outside = try TemporaryFolder()
        path = folder.path
        random = SeededGenerator(seed: seed)
        try log.write(to: folder, only: chosen, continuing: part ? earlier : [])
    }

    var entries: [AuditEntry] { (chosen ?? Array(log.entries.indices)).map { log.entries[$0] } }
    /// The place of an ordinary record in `entries`, behind those with which a log begins and before its last.
    var place: Int { chosen == nil ? Int.random(in: 3..<log.entries.count - 1, using: &random) : 3 }

    func bytes(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name)) }

    /// Changes a file and signs the list of files again, as the owner of the key could.
    func edit(_ name: String, signs: Bool = true, _ change: (inout String) throws -> Void) throws {
        var text = String(decoding: try bytes(name), as: UTF8.self)
        let before = text
        try change(&text)
        guard !text.utf8.elementsEqual(before.utf8) else { throw Unchanged(file: name) }
        try folder.write(text, to: name)
        if signs { try log.sign(folder) }
    }

    /// Replaces one text in a file.
    func edit(_ name: String, _ old: String, _ new: String, signs: Bool = true) throws {
        try edit(name, signs: signs) { text in
            guard let range = text.range(of: old, options: .literal) else { throw Unchanged(file: name) }
            text.replaceSubrange(range, with: new)
        }
    }

    /// Replaces one line of the records.
    func line(_ place: Int, _ change: (inout String) -> Void) throws {
        try edit(BundleLayout.records) { text in
            var lines = text.split(separator: "\n").map { String($0) + "\n" }
            change(&lines[place])
            text = lines.joined()
        }
    }

    func records(_ change: (inout [AuditEntry]) throws -> Void) throws {
        var entries = entries
        try change(&entries)
        try log.writeRecords(entries, to: folder)
        try log.sign(folder)
    }

    /// Replaces the text of a leaf.
    func leaf(_ old: String, _ new: String) throws {
        let place = place
        try records { entries in
            let leaf = entries[place].leaf.replacing(old, with: new)
            guard leaf != entries[place].leaf else { throw Unchanged(file: "leaf") }
            entries[place] = AuditEntry(leaf: leaf, disclosures: entries[place].disclosures)
        }
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: folder.path + "/" + name) }

    func checkpoint(_ note: SignedNote) throws {
        try folder.write(note.data, to: BundleLayout.checkpoint)
        for index in chosen ?? [] {
            guard let inclusion = log.inclusion(of: index), let proof = OfflineProof(inclusion, in: note) else {
                continue
            }
            try folder.write(proof.data, to: BundleLayout.proof(of: UInt64(index)))
        }
        try log.sign(folder)
    }

    func hold(_ note: SignedNote) throws { try hold(String(decoding: note.data, as: UTF8.self)) }

    func hold(_ text: String) throws { held.append(try outside.write(text, to: "held\(held.count)")) }

    func useKeys(_ text: String) throws { keys = try outside.write(text, to: "keys") }

    /// What the verifiers get.
    var input: CorpusInput {
        CorpusInput(path: path, keys: keys, held: held, folders: [folder, outside])
    }

    struct Unchanged: Error {
        let file: String
    }
}

/// A finished bundle with what else the verifiers get.
struct CorpusInput: Sendable {
    let path: String
    let keys: String?
    let held: [String]
    /// Until the verifiers have run.
    let folders: [TemporaryFolder]

    /// For the verifiers in Go and Python.
    var arguments: [String] { [path] + (keys.map { [$0] } ?? []) + held.flatMap { ["--checkpoint", $0] } }

    /// What VoiceGate's own verifier says.
    var verdict: String {
        get throws {
            var verifiers: [NoteVerifier]?
            if let keys {
                guard let list = NoteVerifier.list(try Data(contentsOf: URL(fileURLWithPath: keys))), !list.isEmpty
                else { return "K1" }
                verifiers = list
            }
            var notes: [SignedNote] = []
            for file in held {
                guard let list = SignedNote.list(try Data(contentsOf: URL(fileURLWithPath: file))), !list.isEmpty
                else { return "H1" }
                notes += list
            }
            let verifier = BundleVerifier(keys: verifiers, held: notes, version: BundleFixture.version)
            do throws(BundleProblem) {
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue {
                    let data = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
                    return try verifier.verify(proof: data).report.verdict
                }
                return try verifier.verify(folder: path).verdict
            } catch {
                return error.rule.rawValue
            }
        }
    }
}
