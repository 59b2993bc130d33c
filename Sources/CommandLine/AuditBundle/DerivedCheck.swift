import AuditExport
import Base
import Consent
import Cryptography

/// The digests that the files made from the records must have.
struct DerivedCheck {
    private var files: DerivedFiles
    private var hashes: [String: SHA256] = [:]
    private var lastNotice: String?
    /// The file names of the records' notices.
    private(set) var notices: Set<String> = []

    init(_ scope: ExportScope, trust: ExportTrust) {
        files = DerivedFiles(scope, trust: trust)
        for name in BundleLayout.derived { hashes[name] = SHA256() }
        files.begin { hashes[$0]?.update(data: $1.utf8) }
    }

    mutating func add(_ record: ConsentRecord) {
        files.add(record) { hashes[$0]?.update(data: $1.utf8) }
        guard let notice = record[.notice], notice != lastNotice else { return }
        lastNotice = notice
        notices.insert(BundleLayout.notice(Hexadecimal.encode(SHA256.hash(data: notice.utf8))))
    }

    /// By file name; call it once, after the last record.
    mutating func digests() -> [String: String] {
        files.end { hashes[$0]?.update(data: $1.utf8) }
        return hashes.mapValues { Hexadecimal.encode($0.finalize()) }
    }
}
