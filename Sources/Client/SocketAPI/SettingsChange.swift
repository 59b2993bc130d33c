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
    /// Of a yes: `whileInUse` or, where the client is allowed already, `always`. Absent: as it is, else `whileInUse`.
    public var scope: Scope?
    /// Of a yes to speech recognition. Absent: as it is, else what the client's manifest prefers.
    public var fidelity: Fidelity?

    public init(resource: Resource, choice: Choice, scope: Scope? = nil, fidelity: Fidelity? = nil) {
        self.resource = resource
        self.choice = choice
        self.scope = scope
        self.fidelity = fidelity
    }
}
