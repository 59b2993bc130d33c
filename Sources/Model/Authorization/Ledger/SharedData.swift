/// What was passed on to others in a session.
public struct SharedData: Sendable, Hashable {
    /// UUID of the session.
    public let session: String
    public let client: ClientIdentifier
    public let user: UInt32
    /// As the notice named them; never empty.
    public let recipients: [String]
    public let kinds: [DataKind]
    public let basis: Basis

    /// How it is known.
    public enum Basis: String, Sendable, Hashable, CaseIterable {
        /// By what the client declares: nobody looks into what it sends.
        case declared
        /// The service sent it itself, to an engine outside of it.
        case sent
    }

    public init(
        session: String, client: ClientIdentifier, user: UInt32, recipients: [String], kinds: [DataKind],
        basis: Basis = .declared
    ) {
        self.session = session
        self.client = client
        self.user = user
        self.recipients = recipients
        self.kinds = kinds
        self.basis = basis
    }

    /// What the client says of itself.
    ///
    /// - Returns: `nil` where nobody receives anything, as far as is declared.
    public init?(declaredIn session: SessionDescription) {
        let client = session.requester.client
        let recipients = Recipients.of(client, engine: .ofService)
        guard !recipients.isEmpty else { return nil }
        self.init(
            session: session.identifier, client: client.identifier, user: session.requester.caller.user,
            recipients: recipients, kinds: client.manifest?.practices.kinds ?? [])
    }

    /// What the service sent.
    ///
    /// - Returns: `nil` where the session's engine is the service's own.
    public init?(sentIn session: SessionDescription) {
        guard let engine = session.engine.recipient else { return nil }
        self.init(
            session: session.identifier, client: session.requester.client.identifier,
            user: session.requester.caller.user, recipients: [engine], kinds: [.liveAudio], basis: .sent)
    }
}
