import Authorization

/// What VoiceGate would keep for whom, and what of it was agreed to.
public struct KeepingReply: Sendable, Hashable, Codable {
    public struct Client: Sendable, Hashable, Codable {
        public var client: String
        public var name: String
        /// By kind, as its manifest declares it now.
        public var declared: [String: KeepingTime]
        /// By kind, what of it is kept with the yes that is stored.
        public var agreed: [String: KeepingTime]

        public init(client: String, name: String, declared: [String: KeepingTime], agreed: [String: KeepingTime]) {
            self.client = client
            self.name = name
            self.declared = declared
            self.agreed = agreed
        }
    }

    public var clients: [Client]

    public init(clients: [Client]) { self.clients = clients }
}
