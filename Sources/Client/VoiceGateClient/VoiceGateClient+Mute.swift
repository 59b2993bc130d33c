import SocketAPI

extension VoiceGateClient {
    /// Ends everything that listens, and refuses everything from now on, also after a restart of the service.
    @discardableResult
    public func mute() async throws -> MuteReply { try await answer(.PUT, "/v1/mute") }

    /// Only VoiceGate's own command may ask. What the mute has ended does not begin again by itself.
    @discardableResult
    public func unmute() async throws -> MuteReply { try await answer(.DELETE, "/v1/mute") }
}
