import Consent
import Foundation
import SocketAPI

/// What an export is made of. Only VoiceGate's own command may ask.
extension VoiceGateClient {
    /// Records as they left the log, oldest first; read only as fast as they are taken.
    ///
    /// - Parameters:
    ///   - filter: without its limit.
    ///   - size: of the checkpoint up to which is read.
    ///   - withProofs: each entry with the proof that leads to that checkpoint's root.
    public func auditEntries(
        matching filter: AuditFilter = AuditFilter(), upTo size: UInt64, withProofs: Bool = false
    ) async throws -> EventStream<AuditEntry> {
        let query = [
            "size=\(size)", withProofs ? "proofs=true" : nil, filter.client.map { "client=\(escaped($0.rawValue))" },
            filter.since.map { "since=\(escaped(Timestamp($0).text))" },
            filter.until.map { "until=\(escaped(Timestamp($0).text))" },
            filter.subject.map { "subject=\(escaped($0))" },
        ].compactMap { $0 }
        return try await stream(.GET, "/v1/audit/entries?" + query.joined(separator: "&"))
    }

    /// Has an export written down.
    public func auditExported(_ export: ExportRequest) async throws -> ExportReply {
        try await answer(.POST, "/v1/audit/exports", export)
    }
}
