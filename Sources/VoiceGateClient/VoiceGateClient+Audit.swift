import SocketAPI

extension VoiceGateClient {
    /// The consent log's records, oldest first.
    ///
    /// - Parameters:
    ///   - since: the first index.
    ///   - limit: how many at most.
    ///   - client: only the records about this client.
    public func auditRecords(since: Int64? = nil, limit: Int? = nil, client: String? = nil) async throws
        -> EventStream<AuditRecordReply>
    {
        let query = [
            since.map { "since=\($0)" }, limit.map { "limit=\($0)" }, client.map { "client=\(escaped($0))" },
        ].compactMap { $0 }
        return try await stream(.GET, "/v1/audit/records" + (query.isEmpty ? "" : "?" + query.joined(separator: "&")))
    }

    /// Checks the whole log.
    public func auditVerification() async throws -> VerificationReply {
        try await answer(.GET, "/v1/audit/verification")
    }
}
