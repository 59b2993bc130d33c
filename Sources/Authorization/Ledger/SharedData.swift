/// What was passed on to others in a session, by what the client declares: nobody looks into what it sends.
public struct SharedData: Sendable, Hashable {
    /// UUID of the session.
    public let session: String
    public let client: ClientIdentifier
    public let user: UInt32
    public let recipients: [String]
    public let kinds: [DataKind]

    /// - Returns: `nil` where nobody receives anything, as far as is declared.
    public init?(_ session: SessionDescription, engine: SpeechEngine) {
        let client = session.requester.client
        recipients = Recipients.of(client, engine: engine)
        guard !recipients.isEmpty else { return nil }
        self.session = session.identifier
        self.client = client.identifier
        user = session.requester.caller.user
        kinds = client.manifest?.practices.kinds ?? []
    }
}
