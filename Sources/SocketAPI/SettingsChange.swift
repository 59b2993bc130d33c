import Authorization

/// `PUT /v1/settings/{client}`; answered with 204. Only VoiceGate's own command may call it.
public struct SettingsChange: Sendable, Hashable, Codable {
    public enum Choice: String, Sendable, Codable, Hashable, CaseIterable {
        case allow
        case deny
        /// Back to `notDetermined`.
        case ask
    }

    public var resource: Resource
    public var choice: Choice

    public init(resource: Resource, choice: Choice) {
        self.resource = resource
        self.choice = choice
    }
}
