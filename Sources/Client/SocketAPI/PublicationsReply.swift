/// Answer to `GET /v1/audit/publications`: the checkpoints that somebody else may hold, smallest first.
public struct PublicationsReply: Sendable, Hashable, Codable {
    public struct Publication: Sendable, Hashable, Codable {
        /// Records that the log had.
        public let size: UInt64
        /// RFC 3339, UTC.
        public let time: String
        public let destination: String

        public init(size: UInt64, time: String, destination: String) {
            self.size = size
            self.time = time
            self.destination = destination
        }
    }

    /// A witness that cosigned a checkpoint of this size; checked against the keys that the service knows.
    public struct Cosignature: Sendable, Hashable, Codable {
        public let size: UInt64
        /// Its key's name.
        public let witness: String
        /// Seconds since 1970, by the witness's clock.
        public let seconds: UInt64

        public init(size: UInt64, witness: String, seconds: UInt64) {
            self.size = size
            self.witness = witness
            self.seconds = seconds
        }
    }

    public let publications: [Publication]
    public let cosignatures: [Cosignature]

    public init(publications: [Publication], cosignatures: [Cosignature]) {
        self.publications = publications
        self.cosignatures = cosignatures
    }
}
