import Consent
import Crypto
import Foundation

/// A bundle as `voicegate audit export` makes it, of a log that is as a test wants it.
public struct BundleFixture: Sendable {
    public static let origin = "voicegate.local/log/00112233445566778899aabbccddeeff"

    public let signer: NoteSigner
    /// All records of the log.
    public let entries: [AuditEntry]
    private let tree: MemoryTree

    /// - Parameters:
    ///   - count: records of the log, at least 3; the last one says that the fields of `erased` were erased.
    ///   - seed: of the log's key.
    public init(count: Int, erased: [Int] = [], seed: UInt8 = 7) throws {
        guard let signer = NoteSigner(name: Self.origin, seed: Data(repeating: seed, count: NoteSigner.seedSize)) else {
            throw CocoaError(.coderInvalidValue)
        }
        self.signer = signer
        entries = (0..<count).map { index in
            let fields: [String: JSONValue] =
                switch index {
                case 0: ["log": .string(String(Self.origin.suffix(32))), "hash": .string("SHA-256")]
                case count - 1 where !erased.isEmpty:
                    ["reason": .string("requested"), "records": .array(erased.map(Self.range))]
                default:
                    ["client": .string("org.example.notes"), "user": .integer(1000), "text": .string("Füße \(index)")]
                }
            let kind =
                index == 0 ? "log.genesis" : index == count - 1 && !erased.isEmpty ? "data.erased" : "access.blocked"
            let disclosure = Disclosure(fields)
            let time = Timestamp(milliseconds: 1_790_000_000_000 + Int64(index) * 1500).text
            let leaf = """
                {"_sd":["\(disclosure.digest)"],"index":\(index),"kind":"\(kind)","schema":2,"time":"\(time)"}
                """
            let text = String(decoding: disclosure.text, as: UTF8.self)
            return AuditEntry(leaf: leaf, disclosures: erased.contains(index) ? [] : [text])
        }
        tree = MemoryTree(leaves: entries.map { Data($0.leaf.utf8) })
    }

    public var head: TreeHead { tree.head(entries.count) }

    public func consistency(from size: Int) -> ConsistencyProof? { tree.consistency(from: size, to: entries.count) }

    public func head(_ size: Int) -> TreeHead { tree.head(size) }

    /// The log's word about its present size, or another one.
    public func checkpoint(_ head: TreeHead? = nil) throws -> SignedNote {
        guard let checkpoint = Checkpoint(origin: Self.origin, head: head ?? self.head),
            let note = try signer.sign(checkpoint.text)
        else { throw CocoaError(.coderInvalidValue) }
        return note
    }

    /// Writes the bundle.
    ///
    /// - Parameters:
    ///   - chosen: indexes of the records, for a bundle of a part of the log; `nil`: all, without proofs.
    ///   - note: the signed checkpoint, with cosignatures, say.
    public func write(to folder: TemporaryFolder, only chosen: [Int]? = nil, note: SignedNote? = nil) throws {
        let note = try note ?? checkpoint()
        try folder.write(note.data, to: "checkpoint")
        try folder.write(signer.verifier.text + "\n", to: "log.vkey")
        try folder.write(
            """
            {"log":"\(Self.origin)","size":\(entries.count),"whole":\(chosen == nil),"madeAt":"2026-11-21T10:00:00.000Z"}
            """, to: "scope.json")
        try writeRecords((chosen ?? Array(entries.indices)).map { entries[$0] }, to: folder)
        for index in chosen ?? [] {
            guard let inclusion = tree.inclusion(of: index, in: entries.count),
                let proof = OfflineProof(inclusion, in: note)
            else { throw CocoaError(.coderInvalidValue) }
            try folder.write(proof.data, to: "proofs/\(index).tlog-proof")
        }
        for name in ["README.txt", "consent.jsonld", "accesses.csv", "decisions.csv", "report.html", "accesses.ndjson"]
        {
            try folder.write("This stands for \(name).\n", to: name)
        }
        let notice = Data("May notes use the microphone?".utf8)
        try folder.write(notice, to: "notices/\(Self.hexadecimal(SHA256.hash(data: notice))).txt")
        try sign(folder)
    }

    public func writeRecords(_ entries: [AuditEntry], to folder: TemporaryFolder) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let lines = try entries.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }
        try folder.write(lines.joined(), to: "records.jsonl")
    }

    /// Makes the list of files anew and signs it, as whoever has the key could.
    public func sign(_ folder: TemporaryFolder) throws {
        let sums = try Self.files(folder).filter { !$0.hasPrefix("SHA256SUMS") }.map { path in
            let contents = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + path))
            return "\(Self.hexadecimal(SHA256.hash(data: contents)))  \(path)\n"
        }.joined()
        try folder.write(sums, to: "SHA256SUMS")
        let text = "\(Self.origin)/export\n\(Self.digest(sums))\n"
        guard let note = try signer.sign(text) else { throw CocoaError(.coderInvalidValue) }
        try folder.write(note.data, to: "SHA256SUMS.note")
    }

    /// Paths of the files in the folder, sorted by bytes.
    public static func files(_ folder: TemporaryFolder) throws -> [String] {
        let manager = FileManager.default
        return try manager.subpathsOfDirectory(atPath: folder.path).filter { path in
            var isFolder: ObjCBool = false
            return manager.fileExists(atPath: folder.path + "/" + path, isDirectory: &isFolder) && !isFolder.boolValue
        }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// SHA-256 in hexadecimal.
    public static func digest(_ text: String) -> String { hexadecimal(SHA256.hash(data: Data(text.utf8))) }

    private static func range(_ index: Int) -> JSONValue { .array([.integer(Int64(index)), .integer(Int64(index))]) }

    private static func hexadecimal(_ digest: SHA256Digest) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
