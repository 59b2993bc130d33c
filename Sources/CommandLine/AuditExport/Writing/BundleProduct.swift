import Consent
import Crypto
import Foundation

/// The folder with everything: each record is checked against the checkpoint while it is written.
final class BundleProduct: ExportProduct {
    private let scope: ExportScope
    private let trust: ExportTrust
    private let folder: BundleFolder
    private let evidence: BundleEvidence
    private let entries: OutputFile
    private var files: [BundleFile]
    private var lastNotice = ""

    init(_ scope: ExportScope, trust: ExportTrust, at path: String, timeZone: TimeZone) throws(ExportError) {
        self.scope = scope
        self.trust = trust
        folder = try BundleFolder(at: path)
        evidence = try BundleEvidence(isWhole: scope.isWhole, trust: trust, folder: folder)
        entries = try folder.create("records.jsonl")
        files = []
        let formats: [(String, any RecordFormat)] = [
            ("accesses.csv", AccessTable()), ("decisions.csv", DecisionTable()),
            ("accesses.ndjson", AppPrivacyReport()),
            ("consent.jsonld", LinkedData(log: scope.log)),
            ("report.html", HTMLReport(scope: scope, timeZone: timeZone)),
        ]
        for (name, format) in formats {
            files.append(try BundleFile(name: name, format: format, file: folder.create(name)))
        }
    }

    func add(_ entry: AuditEntry, _ record: AuditRecord) throws(ExportError) {
        try evidence.check(entry, record.index)
        try entries.write(Self.line(entry))
        for file in files { try file.add(record) }
        if let notice = record.text("notice"), notice != lastNotice {
            lastNotice = notice
            let name = Hexadecimal.encode(SHA256.hash(data: Data(notice.utf8)))
            try folder.writeOnce(notice, as: "notices/\(name).txt")
        }
    }

    func finish(_ report: VerificationReport?) throws(ExportError) -> String {
        try evidence.finish()
        try folder.note(try entries.finish(), of: "records.jsonl")
        let verification = ExportVerification(
            report: report, checkpoint: trust.facts, coverage: scope.isWhole ? .whole : .proofs)
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

    /// As RFC 8785 writes it.
    private static func line(_ entry: AuditEntry) -> String {
        var members: [String: JSONValue] = [
            "disclosures": .array(entry.disclosures.map(JSONValue.string)), "leaf": .string(entry.leaf),
        ]
        if let proof = entry.proof { members["proof"] = .array(proof.map(JSONValue.string)) }
        return JSONValue.object(members).canonical + "\n"
    }
}
