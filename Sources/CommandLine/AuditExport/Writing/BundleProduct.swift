import Authorization
import Consent
import Crypto
import Foundation
import Glibc

/// A bundle. Each record is checked against the checkpoint while it is written, so that every bundle verifies.
final class BundleProduct: ExportProduct {
    private let scope: ExportScope
    private let trust: ExportTrust
    private let folder: OutputFolder
    private let entries: OutputFile
    private let files: [FormattedFile]
    private var tree = Frontier()
    private var lastNotice = ""

    init(_ scope: ExportScope, trust: ExportTrust, at path: String, timeZone: TimeZone) throws(ExportError) {
        self.scope = scope
        self.trust = trust
        folder = try OutputFolder(at: path)
        if !scope.isWhole { try folder.makeFolder("proofs") }
        entries = try folder.create("records.jsonl")
        let formats: [(String, any RecordFormat)] = [
            ("accesses.csv", AccessTable()), ("decisions.csv", DecisionTable()),
            ("accesses.ndjson", AppPrivacyReport()),
            ("consent.jsonld", LinkedData(log: scope.log)),
            ("report.html", HTMLReport(scope: scope, timeZone: timeZone)),
        ]
        let folder = folder
        files = try formats.map { name, format throws(ExportError) in
            try FormattedFile(name: name, format: format, file: folder.create(name))
        }
    }

    func add(_ entry: AuditEntry, _ record: AuditRecord) throws(ExportError) {
        try check(entry, record.index)
        try entries.write(Self.line(entry))
        for file in files { try file.add(record) }
        if let notice = record.text("notice"), notice != lastNotice {
            lastNotice = notice
            let name = Hexadecimal.encode(SHA256.hash(data: Data(notice.utf8)))
            try folder.writeOnce(notice, as: "notices/\(name).txt")
        }
    }

    func finish(_ report: VerificationReport?) throws(ExportError) -> String {
        if scope.isWhole, tree.head != trust.checkpoint.head { throw .unproven(tree.size) }
        try folder.note(try entries.finish(), of: "records.jsonl")
        let verification = ExportVerification(
            report: report, trust: trust, coverage: scope.isWhole ? .whole : .proofs)
        for file in files { try folder.note(try file.finish(verification), of: file.name) }
        let words = scope.language.reportWording
        try folder.write(Data(scope.document.utf8), as: "scope.json")
        try folder.write(trust.note.data, as: "checkpoint")
        try folder.write(Data(trust.keys.map { $0.text + "\n" }.joined().utf8), as: "log.vkey")
        let moment = LocalClock(timeZone: .gmt).moment(scope.madeAt)
        let readme = words.readme(log: scope.log, madeAt: words.dateTime(moment) + " UTC", whole: scope.isWhole)
        try folder.write(Data(readme.utf8), as: "README.txt")
        return try folder.finishSums()
    }

    func commit(_ signature: SignedNote?) throws(ExportError) {
        if let signature { try folder.write(signature.data, as: "SHA256SUMS.note", isListed: false) }
        try folder.complete()
    }

    /// Checks an entry against the checkpoint. In a part of the log, writes its proof too.
    private func check(_ entry: AuditEntry, _ index: UInt64) throws(ExportError) {
        if scope.isWhole {
            guard index == tree.size else { throw .unproven(tree.size) }
            tree.append(entry.leafHash)
            return
        }
        let hashes = (entry.proof ?? []).compactMap { MerkleHash(base64: $0) }
        guard let proof = entry.proof, hashes.count == proof.count,
            let inclusion = InclusionProof(index: index, size: trust.checkpoint.size, hashes: hashes),
            inclusion.proves(entry.leafHash, in: trust.checkpoint.head),
            let file = OfflineProof(inclusion, in: trust.note)
        else { throw .unproven(index) }
        try folder.write(file.data, as: "proofs/\(index).tlog-proof")
    }

    /// Canonical JSON (RFC 8785).
    private static func line(_ entry: AuditEntry) -> String {
        var members: [String: JSONValue] = [
            "disclosures": .array(entry.disclosures.map(JSONValue.string)), "leaf": .string(entry.leaf),
        ]
        if let proof = entry.proof { members["proof"] = .array(proof.map(JSONValue.string)) }
        return JSONValue.object(members).canonical + "\n"
    }
}

/// The folder of a bundle under its temporary name, and the list of its files' digests.
final class OutputFolder {
    private let path: PartialPath
    private let sums: OutputFile

    init(at path: String) throws(ExportError) {
        self.path = try PartialPath(for: path)
        try self.path.makeFolder()
        sums = try OutputFile(creating: self.path.partial + "/SHA256SUMS")
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
    func writeOnce(_ text: String, as name: String) throws(ExportError) {
        guard access("\(path.partial)/\(name)", F_OK) != 0 else { return }
        try makeFolder((name as NSString).deletingLastPathComponent)
        try write(Data(text.utf8), as: name)
    }

    func makeFolder(_ name: String) throws(ExportError) {
        let folder = "\(path.partial)/\(name)"
        guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .cannotWrite(folder, errno) }
    }

    /// - Returns: the SHA-256 of the list.
    func finishSums() throws(ExportError) -> String { try sums.finish() }

    func complete() throws(ExportError) { try path.complete() }
}
