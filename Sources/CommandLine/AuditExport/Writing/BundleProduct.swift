import Base
import Consent
import Cryptography
import Foundation
import Glibc

/// A bundle. Each record is checked against the checkpoint while it is written, so that every bundle verifies.
final class BundleProduct: ExportProduct {
    private let scope: ExportScope
    private let trust: ExportTrust
    private let folder: OutputFolder
    private let entries: OutputFile
    private var files: [String: OutputFile] = [:]
    private var derived: DerivedFiles
    private var tree = Frontier()
    private var lastNotice = ""

    /// - Parameter earlier: proofs for the checkpoint; not used for a whole log, whose records prove the same.
    init(
        _ scope: ExportScope, trust: ExportTrust, continuing earlier: [ConsistencyProof], at path: String
    ) throws(ExportError) {
        self.scope = scope
        self.trust = trust
        derived = DerivedFiles(scope, trust: trust)
        folder = try OutputFolder(at: path)
        entries = try folder.create(BundleLayout.records)
        for name in BundleLayout.derived { files[name] = try folder.create(name) }
        try derived.begin { name, text throws(ExportError) in try files[name]?.write(text) }
        guard !scope.isWhole else { return }
        try folder.makeFolder(.proofs)
        for proof in earlier where proof.hashes.count > 0 {
            try folder.makeFolder(.consistency)
            let request = WitnessRequest(proof, in: trust.note)
            try folder.write(request.data, as: BundleLayout.consistency(from: proof.from))
        }
    }

    func add(_ entry: AuditEntry, _ record: ConsentRecord) throws(ExportError) {
        try check(entry, record.index)
        try entries.write(entry.line)
        try derived.add(record) { name, text throws(ExportError) in try files[name]?.write(text) }
        if let notice = record[.notice], notice != lastNotice {
            lastNotice = notice
            try folder.writeOnce(
                notice, as: BundleLayout.notice(Hexadecimal.encode(SHA256.hash(data: notice.utf8))), in: .notices)
        }
    }

    func finish(_ scope: ExportScope) throws(ExportError) -> String {
        if scope.isWhole, tree.head != trust.checkpoint.head { throw .unproven(tree.size) }
        try folder.note(try entries.finish(), of: BundleLayout.records)
        var derived = derived
        derived.scope = scope
        try derived.end { name, text throws(ExportError) in try files[name]?.write(text) }
        for (name, file) in files.sorted(by: { $0.key < $1.key }) { try folder.note(try file.finish(), of: name) }
        try folder.write(Data(scope.document.utf8), as: BundleLayout.scope)
        try folder.write(trust.note.data, as: BundleLayout.checkpoint)
        try folder.write(Data(trust.keys.map { $0.text + "\n" }.joined().utf8), as: BundleLayout.keys)
        return try folder.finishSums()
    }

    func commit(_ signature: SignedNote?) throws(ExportError) {
        if let signature { try folder.write(signature.data, as: BundleLayout.sumsNote, isListed: false) }
        try folder.complete()
    }

    /// Checks an entry against the checkpoint. In a part of the log, writes its proof too.
    private func check(_ entry: AuditEntry, _ index: UInt64) throws(ExportError) {
        if scope.isWhole {
            guard index == tree.size else { throw .unproven(tree.size) }
            tree.append(entry.leafHash)
            return
        }
        guard let proof = entry.proof(of: index, in: trust) else { throw .unproven(index) }
        try folder.write(proof.data, as: BundleLayout.proof(of: index))
    }
}

extension AuditEntry {
    /// The proof in a file, if the entry came with one that leads to the checkpoint.
    ///
    /// - Parameter extra: see `OfflineProof`.
    public func proof(of index: UInt64, in trust: ExportTrust, extra: Data? = nil) -> OfflineProof? {
        let hashes = (proof ?? []).compactMap { MerkleHash(base64: $0) }
        guard let proof, hashes.count == proof.count,
            let inclusion = InclusionProof(index: index, size: trust.checkpoint.size, hashes: hashes),
            inclusion.proves(leafHash, in: trust.checkpoint.head)
        else { return nil }
        return OfflineProof(inclusion, in: trust.note, extra: extra)
    }
}

/// The folder of a bundle under its temporary name, and the list of its files' digests.
final class OutputFolder {
    private let path: PartialPath
    private let sums: OutputFile

    init(at path: String) throws(ExportError) {
        self.path = try PartialPath(for: path)
        try self.path.makeFolder()
        sums = try OutputFile(creating: "\(self.path.partial)/\(BundleLayout.sums)")
    }

    /// Creates a file; the caller passes its digest to `note`.
    func create(_ name: String) throws(ExportError) -> OutputFile {
        try OutputFile(creating: "\(path.partial)/\(name)")
    }

    /// Adds a digest in the format of sha256sum(1).
    func note(_ digest: String, of name: String) throws(ExportError) { try sums.write("\(digest)  \(name)\n") }

    func write(_ data: Data, as name: String, isListed: Bool = true) throws(ExportError) {
        let file = try create(name)
        try file.write(data)
        let digest = try file.finish()
        if isListed { try note(digest, of: name) }
    }

    /// Writes a text whose file name is derived from it, unless the file exists.
    func writeOnce(_ text: String, as name: String, in folder: BundleLayout.Folder) throws(ExportError) {
        guard access("\(path.partial)/\(name)", F_OK) != 0 else { return }
        try makeFolder(folder)
        try write(Data(text.utf8), as: name)
    }

    func makeFolder(_ folder: BundleLayout.Folder) throws(ExportError) {
        let folder = "\(path.partial)/\(folder)"
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .cannotWrite(folder, errno) }
    }

    /// - Returns: the SHA-256 of the list.
    func finishSums() throws(ExportError) -> String { try sums.finish() }

    func complete() throws(ExportError) { try path.complete() }
}
