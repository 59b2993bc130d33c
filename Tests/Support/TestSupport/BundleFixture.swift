import AuditExport
import Authorization
import Consent
import Cryptography
import Foundation

/// A bundle as `voicegate audit export` makes it, of a log that is as a test wants it.
public struct BundleFixture: Sendable {
    public static let origin = "voicegate.local/log/00112233445566778899aabbccddeeff"
    public static let version = "1"

    /// A key that replaced an earlier one.
    public struct Rotation: Sendable {
        let index: Int
        let seed: UInt8

        public init(at index: Int, seed: UInt8) {
            self.index = index
            self.seed = seed
        }
    }

    /// The key that signs now.
    public let signer: NoteSigner
    /// All keys, newest last.
    public let signers: [NoteSigner]
    /// All records of the log.
    public let entries: [AuditEntry]
    private let tree: MemoryTree

    /// - Parameters:
    ///   - count: records of the log, at least 3: its beginning, its first key, a notice, then refused accesses; the last one
    ///     says that the fields of `erased` were erased.
    ///   - seed: of the log's first key.
    ///   - declaring: the ranges that the last record declares erased; `nil`: those of `erased`.
    public init(
        count: Int, erased: [Int] = [], seed: UInt8 = 7, rotations: [Rotation] = [], declaring: [[Int]]? = nil
    ) throws {
        let keys = try ([seed] + rotations.map(\.seed)).map(Self.signer)
        signers = keys
        signer = keys[keys.count - 1]
        let declared = declaring ?? erased.map { [$0, $0] }
        func key(_ number: Int, _ reason: String) -> [String: JSONValue] {
            var fields: [String: JSONValue] = ["key": .string(keys[number].verifier.text), "reason": .string(reason)]
            if number > 0 { fields["previousKey"] = .string(keys[number - 1].verifier.text) }
            return fields
        }
        entries = (0..<count).map { index in
            let (kind, fields): (String, [String: JSONValue]) =
                switch index {
                case 0: ("log.genesis", ["log": .string(String(Self.origin.suffix(32))), "hash": "SHA-256"])
                case 1: ("key.rotated", key(0, "created"))
                case count - 1 where !declared.isEmpty:
                    ("data.erased", ["reason": "requested", "records": .array(declared.map(Self.range))])
                case _ where rotations.contains(where: { $0.index == index }):
                    ("key.rotated", key((rotations.firstIndex { $0.index == index } ?? 0) + 1, "rotated"))
                case 2:
                    (
                        "notice.shown",
                        [
                            "client": "org.example.notes", "user": 1000,
                            "notice": "May notes use the microphone?", "resource": "microphone",
                        ]
                    )
                default:
                    (
                        "access.blocked",
                        ["client": "org.example.notes", "user": 1000, "text": .string("Füße \(index)")]
                    )
                }
            return Self.entry(index, kind, fields, isErased: erased.contains(index))
        }
        tree = MemoryTree(leaves: entries.map { Data($0.leaf.utf8) })
    }

    public static func signer(_ seed: UInt8) throws -> NoteSigner {
        guard let signer = NoteSigner(name: origin, seed: Data(repeating: seed, count: NoteSigner.seedSize)) else {
            throw CocoaError(.coderInvalidValue)
        }
        return signer
    }

    public static func entry(
        _ index: Int, _ kind: String, _ fields: [String: JSONValue], isErased: Bool = false
    ) -> AuditEntry {
        let disclosure = Disclosure(fields)
        let time = Timestamp(milliseconds: 1_790_000_000_000 + Int64(index) * 1500).text
        let leaf = """
            {"_sd":["\(disclosure.digest)"],"index":\(index),"kind":"\(kind)","schema":2,"time":"\(time)"}
            """
        return AuditEntry(leaf: leaf, disclosures: isErased ? [] : [String(decoding: disclosure.text, as: UTF8.self)])
    }

    /// The same log with other entries.
    private init(_ fixture: BundleFixture, entries: [AuditEntry]) {
        signer = fixture.signer
        signers = fixture.signers
        self.entries = entries
        tree = MemoryTree(leaves: entries.map { Data($0.leaf.utf8) })
    }

    /// A log that has another entry in this place, from its beginning: as who has the key can write it.
    public func replacing(_ index: Int, with entry: AuditEntry) -> BundleFixture {
        var entries = entries
        entries[index] = entry
        return BundleFixture(self, entries: entries)
    }

    /// A log without its last records.
    public func prefix(_ count: Int) -> BundleFixture { BundleFixture(self, entries: Array(entries.prefix(count))) }

    public var head: TreeHead { tree.head(entries.count) }

    public func consistency(from size: Int) -> ConsistencyProof? { tree.consistency(from: size, to: entries.count) }

    public func inclusion(of index: Int) -> InclusionProof? { tree.inclusion(of: index, in: entries.count) }

    public func head(_ size: Int) -> TreeHead { tree.head(size) }

    /// The log's word about its present size, or an earlier one.
    public func checkpoint(_ head: TreeHead? = nil, by signer: NoteSigner? = nil) throws -> SignedNote {
        guard let checkpoint = Checkpoint(origin: Self.origin, head: head ?? self.head),
            let note = try (signer ?? self.signer).sign(checkpoint.text)
        else { throw CocoaError(.coderInvalidValue) }
        return note
    }

    /// The scope of the whole log, or of a part of it.
    public func scope(isWhole: Bool) -> ExportScope {
        ExportScope(
            log: Self.origin, size: UInt64(entries.count),
            filter: AuditFilter(client: isWhole ? nil : ClientIdentifier(rawValue: "org.example.notes")),
            language: .english, madeAt: Date(timeIntervalSince1970: 1_790_100_000), timeZone: .gmt,
            version: Self.version)
    }

    /// Writes the bundle.
    ///
    /// - Parameters:
    ///   - chosen: indexes of the records, for a bundle of a part of the log; `nil`: all, without proofs.
    ///   - note: the signed checkpoint, with cosignatures, say.
    ///   - earlier: sizes that the bundle proves to continue.
    ///   - withheld: indexes of records without their fields.
    public func write(
        to folder: TemporaryFolder, only chosen: [Int]? = nil, note: SignedNote? = nil, continuing earlier: [Int] = [],
        withholding withheld: Set<Int> = []
    ) throws {
        let note = try note ?? checkpoint()
        let records = (chosen ?? Array(entries.indices)).map {
            withheld.contains($0) ? AuditEntry(leaf: entries[$0].leaf, disclosures: []) : entries[$0]
        }
        try folder.write(note.data, to: BundleLayout.checkpoint)
        try folder.write(signers.map { $0.verifier.text + "\n" }.joined(), to: BundleLayout.keys)
        try folder.write(scope(isWhole: chosen == nil).document, to: BundleLayout.scope)
        try writeRecords(records, to: folder)
        for index in chosen ?? [] {
            guard let inclusion = inclusion(of: index), let proof = OfflineProof(inclusion, in: note) else {
                throw CocoaError(.coderInvalidValue)
            }
            try folder.write(proof.data, to: BundleLayout.proof(of: UInt64(index)))
        }
        for size in earlier {
            guard let proof = consistency(from: size) else { throw CocoaError(.coderInvalidValue) }
            try folder.write(WitnessRequest(proof, in: note).data, to: BundleLayout.consistency(from: UInt64(size)))
        }
        try writeDerived(records, note, isWhole: chosen == nil, to: folder)
        try sign(folder)
    }

    public func writeRecords(_ entries: [AuditEntry], to folder: TemporaryFolder) throws {
        try folder.write(entries.map(\.line).joined(), to: BundleLayout.records)
    }

    private func writeDerived(
        _ entries: [AuditEntry], _ note: SignedNote, isWhole: Bool, to folder: TemporaryFolder
    ) throws {
        // Of a log that somebody made up, the checkpoint need not be one that its keys signed.
        guard
            let trust = try ExportTrust(note: note, keys: signers.map(\.verifier))
                ?? ExportTrust(note: checkpoint(), keys: signers.map(\.verifier))
        else { throw CocoaError(.coderInvalidValue) }
        var derived = DerivedFiles(scope(isWhole: isWhole), trust: trust)
        var texts: [String: String] = [:]
        derived.begin { texts[$0, default: ""] += $1 }
        for entry in entries {
            let record = try ConsentRecord(entry)
            derived.add(record) { texts[$0, default: ""] += $1 }
            guard let notice = record.fields["notice"]?.string else { continue }
            try folder.write(notice, to: BundleLayout.notice(Self.digest(notice)))
        }
        derived.end { texts[$0, default: ""] += $1 }
        for (name, text) in texts { try folder.write(text, to: name) }
    }

    /// Makes the list of files again and signs it, as the owner of the key could.
    public func sign(_ folder: TemporaryFolder, by signer: NoteSigner? = nil) throws {
        let sums = try Self.files(folder).filter { !$0.hasPrefix("SHA256SUMS") }.map { path in
            let contents = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + path))
            return "\(Self.hexadecimal(SHA256.hash(data: contents)))  \(path)\n"
        }.joined()
        try folder.write(sums, to: BundleLayout.sums)
        let text = "\(Self.origin)/export\n\(Self.digest(sums))\n"
        guard let note = try (signer ?? self.signer).sign(text) else { throw CocoaError(.coderInvalidValue) }
        try folder.write(note.data, to: BundleLayout.sumsNote)
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
    public static func digest(_ text: String) -> String { hexadecimal(SHA256.hash(data: text.utf8)) }

    static func digest(_ data: Data) -> String { hexadecimal(SHA256.hash(data: data)) }

    private static func range(_ ends: [Int]) -> JSONValue { .array(ends.map { .integer(Int64($0)) }) }

    private static func hexadecimal(_ digest: SHA256.Digest) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
