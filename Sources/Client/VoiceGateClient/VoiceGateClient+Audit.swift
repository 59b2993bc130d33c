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

extension VoiceGateClient {
    /// What an erasure would do. Only VoiceGate's own command may ask.
    public func rehearseErasure(_ wish: RecordErasureRequest) async throws -> RecordErasureReply {
        let query = [
            wish.client.map { "client=\(escaped($0))" }, wish.before.map { "before=\(escaped(JSONCoding.text($0)))" },
            wish.session.map { "session=\(escaped($0))" }, wish.user.map { "user=\($0)" },
        ].compactMap { $0 }
        return try await answer(.GET, "/v1/audit/erasures" + (query.isEmpty ? "" : "?" + query.joined(separator: "&")))
    }

    /// Erases for good what is recorded and kept. Only VoiceGate's own command may ask, in the foreground.
    public func eraseRecords(_ wish: RecordErasureRequest) async throws -> RecordErasureReply {
        try await answer(.POST, "/v1/audit/erasures", wish)
    }
}

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

extension VoiceGateClient {
    /// Has a copy of the log made; it is there for as long as the stream, which sends one value. Only VoiceGate's own
    /// command may ask, run by the person.
    public func auditBackup() async throws -> EventStream<BackupReply> { try await stream(.POST, "/v1/audit/backups") }
}

/// Only VoiceGate's own command may ask for these.
extension VoiceGateClient {
    /// Signs what is recorded now.
    public func auditCheckpoint() async throws -> CheckpointReply { try await answer(.POST, "/v1/audit/checkpoint") }

    /// Replaces the key that signs.
    public func rotateAuditKey() async throws -> CheckpointReply { try await answer(.POST, "/v1/audit/keys") }

    /// - Returns: a C2SP tlog-proof.
    public func auditProof(of index: UInt64) async throws -> String { try await text("/v1/audit/proofs/\(index)") }

    /// That the log of an earlier size is the beginning of that of a later one.
    public func auditConsistency(from: UInt64, to: UInt64) async throws -> ConsistencyReply {
        try await answer(.GET, "/v1/audit/consistency?from=\(from)&to=\(to)")
    }

    /// Hands in what witnesses signed.
    public func addAuditCosignatures(_ request: CosignatureRequest) async throws -> CosignatureReply {
        try await answer(.POST, "/v1/audit/cosignatures", request)
    }

    /// Writes down that a checkpoint left this machine.
    public func recordAuditPublication(_ request: PublicationRequest) async throws {
        try await perform(.POST, "/v1/audit/publications", request)
    }

    public func auditPublications() async throws -> PublicationsReply {
        try await answer(.GET, "/v1/audit/publications")
    }
}

/// A file's bytes after others.
struct HeadedFile<File: AsyncSequence & Sendable>: AsyncSequence, Sendable where File.Element == [UInt8] {
    let head: [UInt8]
    let file: File

    struct AsyncIterator: AsyncIteratorProtocol {
        var head: [UInt8]?
        var file: File.AsyncIterator

        mutating func next() async throws -> [UInt8]? {
            defer { head = nil }
            if let head, !head.isEmpty { return head }
            return try await file.next()
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(head: head, file: file.makeAsyncIterator()) }
}
