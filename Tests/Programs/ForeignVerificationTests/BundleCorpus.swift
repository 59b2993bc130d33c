import AuditExport
import Consent
import Cryptography
import Foundation
import TestSupport

/// Valid and broken bundles, made from a seed: for each rule of Documentation/Bundle.md every way to break it that is
/// listed here, each in a whole log and in a part of one where both can be.
struct BundleCorpus {
    typealias Change = (CorpusBundle) throws -> Void

    /// One way to make or break a bundle.
    struct Break {
        let name: String
        let make: Change

        init(_ name: String, _ make: @escaping Change) {
            self.name = name
            self.make = make
        }
    }

    @resultBuilder enum Breaks {
        static func buildExpression(_ change: Break) -> [Break] { [change] }
        static func buildExpression(_ changes: [Break]) -> [Break] { changes }
        static func buildBlock(_ parts: [Break]...) -> [Break] { parts.flatMap(\.self) }
    }

    struct Case: Sendable {
        let name: String
        /// What every verifier must say.
        let verdict: String
        /// What VoiceGate's own must say where only it makes the derived files again.
        let own: String
        let input: CorpusInput
    }

    private(set) var cases: [Case] = []
    private var random: SeededGenerator

    /// Forms of a bundle that a change applies to.
    enum Form { case whole, part, both }

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        try addValid()
        try addBrokenFiles()
        try addBrokenHeads()
        try addBrokenRecords()
        try addBrokenProofs()
        try addBrokenLists()
        try addHeld()
        try addProofsAlone()
    }

    /// Each change is made in bundles of logs of several sizes.
    mutating func add(
        _ verdict: String, own: String? = nil, in form: Form = .both, rounds: Int = 1,
        rotations: [BundleFixture.Rotation] = [],
        erased: [Int] = [], declaring: [[Int]]? = nil, continuing: [Int] = [], @Breaks _ changes: () -> [Break]
    ) throws {
        for change in changes() {
            for part in [false, true] where form == .both || part == (form == .part) {
                for _ in 0..<rounds {
                    let count = Int.random(in: 8...19, using: &random)
                    let log = try BundleFixture(
                        count: count, erased: erased, rotations: rotations, declaring: declaring)
                    let bundle = try CorpusBundle(
                        log, part: part, seed: random.next(), continuing: continuing)
                    do {
                        try change.make(bundle)
                    } catch let error as CorpusBundle.Unchanged {
                        throw Ineffective(name: "\(verdict) \(change.name)", file: error.file)
                    }
                    cases.append(
                        Case(
                            name: "\(change.name), \(part ? "part" : "whole")", verdict: verdict, own: own ?? verdict,
                            input: bundle.input))
                }
            }
        }
    }

    struct Ineffective: Error {
        let name: String
        let file: String
    }

    static let otherSeed: UInt8 = 99
    static var strangerOrigin: String { "voicegate.local/log/" + String(repeating: "ab", count: 16) }

    static func stranger(_ name: String = strangerOrigin) throws -> NoteSigner {
        guard let signer = NoteSigner(name: name, seed: Data(repeating: otherSeed, count: NoteSigner.seedSize)) else {
            throw CocoaError(.coderInvalidValue)
        }
        return signer
    }

    private mutating func addValid() throws {
        try add("verified", rounds: 2) {
            Break("nothing") { _ in }
        }
        try add("verified", rounds: 2, erased: [3, 4]) {
            Break("erased fields") { _ in }
        }
        try add("verified", rounds: 2, rotations: [.init(at: 5, seed: 21)]) {
            Break("a key that was replaced") { _ in }
            Break("signed by both keys") { bundle in
                let note = try bundle.log.checkpoint()
                guard
                    let both = try bundle.log.signers[0].sign(note.text)?.signatures.first.flatMap(note.adding)
                else {
                    throw CocoaError(.coderInvalidValue)
                }
                try bundle.checkpoint(both)
            }
        }
        try add("verified") {
            Break("keys from elsewhere") { try $0.useKeys($0.log.signer.verifier.text + "\n") }
            Break("more keys from elsewhere") {
                try $0.useKeys(Self.stranger().verifier.text + "\n\n" + $0.log.signer.verifier.text)
            }
            Break("a cosignature") { bundle in
                let note = try bundle.log.checkpoint()
                let witness = try Self.stranger("witness.example/w1")
                guard let cosigned = note.adding(try witness.cosign(note.text, at: 1_790_000_000)) else {
                    throw CocoaError(.coderInvalidValue)
                }
                try bundle.checkpoint(cosigned)
            }
            Break("the list in another order") { bundle in
                try bundle.edit(BundleLayout.sums, signs: false) { text in
                    text = text.split(separator: "\n").reversed().map { $0 + "\n" }.joined()
                }
                try bundle.signList()
            }
        }
        // Names in an order that differs by UTF-8 and by UTF-16, escapes, and values of every kind.
        try add("verified", in: .whole) {
            Break("unusual texts") { bundle in
                let fields: [String: JSONValue] = [
                    "\u{FF5E}": .integer(-1), "\u{1F3A4}": .boolean(false),
                    "e\u{301}": .string("\u{1}\u{7F}\"\\\n/"),
                    "a": .array([.object([:]), .array([]), .integer(.max), .integer(.min)]),
                ]
                let log = bundle.log.replacing(4, with: BundleFixture.entry(4, "later.kind", fields))
                try log.write(to: bundle.folder)
            }
        }
        try add("verified", in: .part) {
            Break("no records") { try $0.log.write(to: $0.folder.emptied(), only: []) }
            Break("fields that are not included") { bundle in
                try bundle.log.write(
                    to: bundle.folder, only: bundle.chosen, withholding: [bundle.log.entries.count - 2])
            }
        }
    }

    private mutating func addBrokenFiles() throws {
        try add("F1", in: .whole) {
            Break("no folder") { $0.path = $0.outside.path + "/nowhere" }
        }
        try add("F2") {
            Break("a link") { try $0.link("report.html") }
            Break("a link of the records") { try $0.link("records.jsonl") }
            Break("a link of a folder") { try $0.link("notices") }
            Break("a pipe as records") { try $0.pipe("records.jsonl") }
            Break("a pipe as checkpoint") { try $0.pipe("checkpoint") }
            Break("another pipe") { try $0.pipe("pipe") }
            Break("a deep folder") { mkdir($0.folder.path + "/notices/deeper", 0o700) }
        }
        try add("F3") {
            [
                "extra.html", ".hidden", "-rf", "notices/extra.txt", "deep/file", "SHA256SUMS.bak",
                "proofs/01.tlog-proof",
                "proofs/-1.tlog-proof", "proofs/1.tlog-proof.txt", "proofs/99999999999999999999.tlog-proof",
                "consistency/0",
                "consistency/07", "notices/" + String(repeating: "A", count: 64) + ".txt", "re\u{301}port.html",
                "proofs/\u{661}.tlog-proof", "notices/report.html",
            ].map { name -> Break in
                Break("a file \(name)") { try $0.folder.write("x", to: name) }
            }
        }
        try add("F3") {
            Break("a folder as file") { mkdir($0.folder.path + "/other", 0o700) }
        }
        try add("F4") {
            BundleLayout.required.sorted().map { name -> Break in
                Break("no \(name)") { try $0.remove(name) }
            }
        }
        try add("F5") {
            ["checkpoint", "log.vkey", "scope.json", "SHA256SUMS.note"].map { name -> Break in
                Break("a huge \(name)") {
                    try $0.folder.write($0.bytes(name) + Data(repeating: 0x0A, count: 70_000), to: name)
                }
            }
        }
        try add("F5") {
            Break("a sparse report") { truncate($0.folder.path + "/report.html", 300 << 30) }
            Break("a huge notice") { bundle in
                let name = try BundleFixture.files(bundle.folder).first { $0.hasPrefix("notices/") } ?? ""
                truncate(bundle.folder.path + "/" + name, 2 << 20)
            }
        }
        try add("F5", in: .part) {
            Break("a huge proof") { truncate($0.folder.path + "/proofs/0.tlog-proof", 2 << 20) }
        }
    }
}

extension CorpusBundle {
    func link(_ name: String) throws {
        try FileManager.default.moveItem(atPath: folder.path + "/" + name, toPath: outside.path + "/" + name)
        symlink(outside.path + "/" + name, folder.path + "/" + name)
    }

    func pipe(_ name: String) throws {
        unlink(folder.path + "/" + name)
        mkfifo(folder.path + "/" + name, 0o600)
    }

    /// Signs the list of files as it is.
    func signList(_ text: String? = nil, by signer: NoteSigner? = nil) throws {
        let digest = BundleFixture.digest(String(decoding: try bytes(BundleLayout.sums), as: UTF8.self))
        guard let note = try (signer ?? log.signer).sign(text ?? "\(BundleFixture.origin)/export\n\(digest)\n") else {
            throw CocoaError(.coderInvalidValue)
        }
        try folder.write(note.data, to: BundleLayout.sumsNote)
    }
}

extension TemporaryFolder {
    func emptied() throws -> TemporaryFolder {
        for name in try FileManager.default.contentsOfDirectory(atPath: path) {
            try FileManager.default.removeItem(atPath: path + "/" + name)
        }
        return self
    }
}
