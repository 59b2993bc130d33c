import Consent
import Foundation
import SocketAPI

extension VoiceGateClient {
    /// The consent log's records, oldest first. Only VoiceGate's own command may ask.
    ///
    /// - Parameters:
    ///   - since: only what happened then or later.
    ///   - limit: only the last so many.
    ///   - client: only the records about this client.
    public func auditRecords(since: Date? = nil, limit: Int? = nil, client: String? = nil) async throws
        -> EventStream<AuditRecord>
    {
        let query = [
            since.map { "since=\(escaped($0.ISO8601Format()))" }, limit.map { "limit=\($0)" },
            client.map { "client=\(escaped($0))" },
        ].compactMap { $0 }
        return try await stream(.GET, "/v1/audit/records" + (query.isEmpty ? "" : "?" + query.joined(separator: "&")))
    }

    /// Checks the whole log. Only VoiceGate's own command may ask.
    public func auditVerification() async throws -> VerificationReport {
        try await answer(.GET, "/v1/audit/verification")
    }
}
