/// What was passed on to others in a session, by what the client declares: nobody looks into what it sends.
public struct SharedData: Sendable, Hashable {
    /// UUID of the session.
    public let session: String
    public let client: ClientIdentifier
    public let user: UInt32
    /// As the notice named them; never empty.
    public let recipients: [String]
    public let kinds: [DataKind]

    public init(
        session: String, client: ClientIdentifier, user: UInt32, recipients: [String], kinds: [DataKind]
    ) {
        self.session = session
        self.client = client
        self.user = user
        self.recipients = recipients
        self.kinds = kinds
    }

    /// - Returns: `nil` where nobody receives anything, as far as is declared.
    public init?(_ session: SessionDescription, engine: SpeechEngine) {
        let client = session.requester.client
        let recipients = Recipients.of(client, engine: engine)
        guard !recipients.isEmpty else { return nil }
        self.init(
            session: session.identifier, client: client.identifier, user: session.requester.caller.user,
            recipients: recipients, kinds: client.manifest?.practices.kinds ?? [])
    }
}
