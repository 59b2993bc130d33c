/// What a session hands on to others than its client, by the client's own declaration.
public struct SharedData: Sendable, Hashable {
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
}
