import Authorization
import Consent
import Foundation
import Testing

@testable import AuditExport

/// Exports of made-up records.
enum Exports {
    static let origin = "voicegate.local/log/" + String(repeating: "0f", count: 16)

    static func scope(_ language: Language = .english, client: String? = nil) -> ExportScope {
        ExportScope(
            log: origin, size: 400, filter: AuditFilter(client: client.flatMap(ClientIdentifier.init(rawValue:))),
            language: language,
            madeAt: Date(timeIntervalSince1970: Double(SampleLog.start + 61 * SampleLog.day) / 1000),
            timeZone: TimeZone(secondsFromGMT: 9 * 3600) ?? .gmt, version: "1")
    }

    static func text(_ format: some RecordFormat, of records: [ConsentRecord]) -> String {
        var format = format
        var text = format.begin()
        for record in records { text += format.add(record) }
        return text + format.end(ExportVerification(report: nil))
    }

    static func report(
        _ records: [ConsentRecord], _ language: Language = .english, client: String? = nil,
        problem: RecordProblem? = nil
    ) throws -> String {
        var report = FiguresFormat.report(scope(language, client: client))
        for record in records { _ = report.add(record) }
        let verification = ExportVerification(report: try found(records, problem), trust: try trust(), coverage: .whole)
        return report.end(verification)
    }

    private static func trust() throws -> ExportTrust {
        let root = try #require(MerkleHash(base64: "XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg="))
        let checkpoint = try #require(Checkpoint(origin: origin, head: TreeHead(size: 400, root: root)))
        let signer = try #require(NoteSigner(name: origin))
        let note = try #require(try signer.sign(checkpoint.text))
        return try #require(ExportTrust(note: note, keys: [signer.verifier]))
    }

    /// As the service sends it.
    private static func found(_ records: [ConsentRecord], _ problem: RecordProblem?) throws -> VerificationReport {
        var text =
            "{\"records\":\(records.count),\"root\":\"XcnaeacGWamtVZy3Ad7ZoqudgjqtL0lgz+Nw7/RgQyg=\",\"erasedRecords\":1"
        if let problem { text += ",\"problem\":" + String(decoding: try JSONEncoder().encode(problem), as: UTF8.self) }
        return try JSONDecoder().decode(VerificationReport.self, from: Data((text + "}").utf8))
    }
}
