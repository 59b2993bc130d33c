import SocketAPI

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
