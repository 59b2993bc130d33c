import SocketAPI

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
