import Consent
import Foundation

/// One file, or standard output.
final class FileProduct: ExportProduct {
    private var format: any RecordFormat
    private let trust: ExportTrust
    private let file: OutputFile
    private let path: PartialPath?

    init(_ format: any RecordFormat, trust: ExportTrust, at path: String?, standardOutput: CInt) throws(ExportError) {
        self.format = format
        self.trust = trust
        let place = try path.map { path throws(ExportError) in try PartialPath(for: path) }
        self.path = place
        file =
            try place.map { place throws(ExportError) in try OutputFile(creating: place.partial) }
            ?? OutputFile(standardOutput: standardOutput)
        try file.write(self.format.begin())
    }

    func add(_ entry: AuditEntry, _ record: AuditRecord) throws(ExportError) { try file.write(format.add(record)) }

    func finish(_ report: VerificationReport?) throws(ExportError) -> String {
        try file.write(format.end(ExportVerification(report: report, checkpoint: trust.facts)))
        return try file.finish()
    }

    func commit(_ signature: SignedNote?) throws(ExportError) { try path?.complete() }
}
