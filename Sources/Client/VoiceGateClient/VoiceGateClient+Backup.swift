import SocketAPI

extension VoiceGateClient {
    /// Has a copy of the log made; it is there for as long as the stream, which sends one value. Only VoiceGate's own
    /// command may ask, run by the person.
    public func auditBackup() async throws -> EventStream<BackupReply> { try await stream(.POST, "/v1/audit/backups") }
}
