import AuditBundle
import Authorization
import Consent
import Foundation

/// What is proven by a bundle that fits, and what is not.
struct BundleVerdict: Encodable {
    struct Cosignature: Encodable {
        let witness: String
        let time: Date
    }

    let log: String
    let size: UInt64
    let root: String
    let whole: Bool
    let records: UInt64
    let erasedRecords: UInt64
    let from: String?
    let until: String?
    let files: Int
    let signers: [String]
    /// Whether the keys came from the bundle itself.
    let trustsOwnKeys: Bool
    let cosignatures: [Cosignature]

    init(_ report: BundleReport) {
        log = report.origin
        size = report.size
        root = report.root.base64
        whole = report.isWhole
        records = report.records
        erasedRecords = report.erased
        from = report.times?.lowerBound.text
        until = report.times?.upperBound.text
        files = report.files
        signers = report.signers.map(\.text)
        trustsOwnKeys = report.trustsOwnKeys
        cosignatures = report.cosignatures.map {
            Cosignature(witness: $0.witness.name, time: Date(timeIntervalSince1970: TimeInterval($0.seconds)))
        }
    }

    /// Sentences, the result first, safe to show: whoever made the bundle or a key named the log and the witnesses.
    var lines: [String] {
        var lines = ["The bundle verifies: \(records) records of \(log), which had \(size), root \(root)"]
        if let from, let until { lines.append("They are from \(from) to \(until).") }
        if erasedRecords > 0 { lines.append("The fields of \(erasedRecords) of them were erased.") }
        lines += signers.map { "Signed by: \($0)" }
        lines += cosignatures.map { "Cosigned by: \($0.witness), \(DayAndTime.text($0.time))" }
        if trustsOwnKeys {
            lines.append(
                "The key is the bundle's own: this shows that the bundle fits together, not whose it is. Give the key "
                    + "that you got by another way with --key.")
        }
        lines.append(
            "Not proven: that what was recorded is true, and anything that happened after the log had \(size) records."
                + (whole ? "" : " Other records may have been left out."))
        return lines.map { DisplayText.cleaned($0, limit: 1_000) }
    }
}
