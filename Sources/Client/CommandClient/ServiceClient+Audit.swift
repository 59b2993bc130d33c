import Consent
import Foundation
import SocketAPI
import protocol VoiceGateClient.ServiceConnection

/// The consent log. Only VoiceGate's own command may call these; another program reads the records about itself.
extension ServiceClient {
    /// The records, oldest first.
    ///
    /// - Parameters:
    ///   - filter: with a limit, a program gets those among the log's last `RecordSpan.longest`.
    ///   - after: only records with a higher index.
    package func auditRecords(
        matching filter: AuditFilter = AuditFilter(), after: UInt64? = nil
    ) async throws -> EventStream<ConsentRecord> {
        let exchange = try await exchange(
            .GET, "/v1/audit/records",
            Self.query(filter).merging([
                "limit": filter.limit.map { "\($0)" }, "after": after.map { "\($0)" },
            ]) { $1 })
        let span = try await exchange.response().headers.first(name: RecordSpan.fieldName).flatMap(
            RecordSpan.init(text:))
        var records = EventStream<ConsentRecord>(body: exchange.body)
        if filter.limit == nil, let range = span?.range, let size = span?.size, let last = range.last,
            last + 1 < size
        {
            records.next = { try await auditRecords(matching: filter, after: last) }
        }
        return records
    }

    private static func query(_ filter: AuditFilter) -> Query {
        [
            "client": filter.client?.rawValue, "since": filter.since.map { Timestamp($0).text },
            "until": filter.until.map { Timestamp($0).text }, "subject": filter.subject,
        ]
    }

    /// Verifies the whole log.
    package func auditVerification() async throws -> VerificationReport {
        try await answer(.GET, "/v1/audit/verification")
    }

    /// What an erasure would do.
    package func rehearseErasure(_ wish: RecordErasureRequest) async throws -> RecordErasureReply {
        try await answer(
            .GET,
            "/v1/audit/erasures",
            query: [
                "client": wish.client, "before": wish.before.map(JSONCoding.text), "session": wish.session,
                "user": wish.user.map { "\($0)" },
            ])
    }

    /// Erases permanently what is recorded and kept. The command must be in the foreground.
    package func eraseRecords(_ wish: RecordErasureRequest) async throws -> RecordErasureReply {
        try await answer(.POST, "/v1/audit/erasures", wish)
    }

    /// The log's entries for an export, oldest first; read only as fast as they are taken.
    ///
    /// - Parameters:
    ///   - filter: its limit is not used.
    ///   - size: of the checkpoint up to which the log is read.
    ///   - withProofs: each entry with its proof for that checkpoint's root.
    package func auditEntries(
        matching filter: AuditFilter = AuditFilter(), upTo size: UInt64, withProofs: Bool = false
    ) async throws -> EventStream<AuditEntry> {
        try await stream(
            .GET, "/v1/audit/entries",
            query: Self.query(filter).merging(["size": "\(size)", "proofs": withProofs ? "true" : nil]) { $1 })
    }

    /// The entry of one record.
    ///
    /// - Parameters:
    ///   - index: of the record.
    ///   - size: of the log up to which is read.
    /// - Returns: `nil` if there is no such record.
    package func auditEntry(_ index: UInt64, upTo size: UInt64) async throws -> AuditEntry? {
        let records = try await auditRecords(after: index > 0 ? index - 1 : nil)
        guard let record = try await records.first(where: { _ in true }), record.index == index else { return nil }
        let moment = AuditFilter(
            since: record.time.date, until: Timestamp(milliseconds: record.time.milliseconds + 1).date)
        return try await auditEntries(matching: moment, upTo: size).first { entry in
            try ConsentRecord(entry).index == index
        }
    }

    /// Records that an export was made.
    package func auditExported(_ export: ExportRequest) async throws -> ExportReply {
        try await answer(.POST, "/v1/audit/exports", export)
    }

    /// Makes a copy of the log, which exists as long as the stream. The stream sends one value.
    package func auditBackup() async throws -> EventStream<BackupReply> { try await stream(.POST, "/v1/audit/backups") }

    /// Signs the log as it is now.
    package func auditCheckpoint() async throws -> CheckpointReply { try await answer(.POST, "/v1/audit/checkpoint") }

    /// Replaces the key that signs.
    package func rotateAuditKey() async throws -> CheckpointReply { try await answer(.POST, "/v1/audit/keys") }

    /// - Returns: a C2SP tlog-proof.
    package func auditProof(of index: UInt64) async throws -> String { try await text("/v1/audit/proofs/\(index)") }

    /// The proof that the log of a smaller size is the beginning of the log of a larger one.
    package func auditConsistency(from: UInt64, to: UInt64) async throws -> ConsistencyReply {
        try await answer(.GET, "/v1/audit/consistency?from=\(from)&to=\(to)")
    }

    /// Adds the cosignatures of witnesses.
    package func addAuditCosignatures(_ request: CosignatureRequest) async throws -> CosignatureReply {
        try await answer(.POST, "/v1/audit/cosignatures", request)
    }

    /// Records that a checkpoint left this machine.
    package func recordAuditPublication(_ request: PublicationRequest) async throws {
        try await perform(.POST, "/v1/audit/publications", request)
    }

    package func auditPublications() async throws -> PublicationsReply {
        try await answer(.GET, "/v1/audit/publications")
    }
}
