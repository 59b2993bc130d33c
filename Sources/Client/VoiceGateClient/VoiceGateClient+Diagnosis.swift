import SocketAPI

extension VoiceGateClient {
    /// What the service knows about itself. Only VoiceGate's own command may ask.
    public func diagnosis() async throws -> DiagnosisReply { try await answer(.GET, "/v1/diagnosis") }
}
