import Authorization

/// `POST /v1/monitors`; answered with 201 and a `MonitorsReply.Monitor`.
public struct MonitorRequest: Sendable, Hashable, Codable {
    /// The bundle identifier; for VoiceGate's own command line alone. Others register for themselves.
    public var client: String?
    /// `soundBegan` or `keyPhrase`.
    public var kind: String
    /// Of a `keyPhrase`.
    public var phrase: String?
    public var action: MonitorAction

    public init(client: String? = nil, kind: String, phrase: String? = nil, action: MonitorAction) {
        self.client = client
        self.kind = kind
        self.phrase = phrase
        self.action = action
    }
}
