import Authorization
import SocketAPI

extension VoiceGateClient {
    /// Everything that this user decided. Only VoiceGate's own command may ask.
    public func settings() async throws -> SettingsReply { try await answer(.GET, "/v1/settings") }

    /// The same at once, and again with each change. A reader that is slow gets the newest state, not each of them.
    public func settingsChanges() async throws -> EventStream<SettingsReply> {
        try await stream(.GET, "/v1/settings/changes")
    }

    /// Only VoiceGate's own command may ask.
    public func changeSettings(of client: String, _ change: SettingsChange) async throws {
        try await perform(.PUT, "/v1/settings/\(escaped(client))", change)
    }

    /// Back to `notDetermined`.
    ///
    /// - Parameters:
    ///   - client: `nil` for every client.
    ///   - resource: `nil` for both.
    public func reset(client: String? = nil, resource: Resource? = nil) async throws {
        let path = client.map { "/v1/settings/\(escaped($0))" } ?? "/v1/settings"
        try await perform(.DELETE, path + (resource.map { "?resource=\($0.rawValue)" } ?? ""))
    }
}
