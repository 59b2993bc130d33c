import Authorization
import SocketAPI

extension VoiceGateClient {
    /// Everything that this user decided. Only VoiceGate's own command may ask.
    ///
    /// - Parameter user: another one, for root and the machine's own service.
    public func settings(ofUser user: UInt32? = nil) async throws -> SettingsReply {
        try await answer(.GET, "/v1/settings" + query(user))
    }

    /// The same at once, and again with each change. A reader that is slow gets the newest state, not each of them.
    public func settingsChanges() async throws -> EventStream<SettingsReply> {
        try await stream(.GET, "/v1/settings/changes")
    }

    /// Only VoiceGate's own command may ask.
    ///
    /// - Parameters:
    ///   - client: its identifier.
    ///   - change: what the person, or root for them, decides.
    ///   - user: another one, for root and the machine's own service; recorded as the administrator's act.
    public func changeSettings(of client: String, _ change: SettingsChange, ofUser user: UInt32? = nil) async throws {
        try await perform(.PUT, "/v1/settings/\(escaped(client))" + query(user), change)
    }

    private func query(_ user: UInt32?) -> String { user.map { "?user=\($0)" } ?? "" }

    /// Makes a program a client of the machine's own service, for this user. Only VoiceGate's own command may ask.
    public func install(_ manifest: ManifestUpload, as client: String) async throws {
        try await perform(.PUT, "/v1/clients/\(escaped(client))", manifest)
    }

    /// Takes such a manifest away. Only VoiceGate's own command may ask.
    public func removeManifest(of client: String) async throws {
        try await perform(.DELETE, "/v1/clients/\(escaped(client))")
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
