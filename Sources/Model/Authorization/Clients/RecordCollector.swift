/// Who receives this machine's consent records (`collector` in `config.yaml`). It receives no audio and no text.
public struct RecordCollector: Sendable, Hashable, Codable {
    public enum Sending: String, Sendable, Hashable, Codable, CaseIterable {
        /// When something was recorded, of which kind, and the digest of the rest.
        case proofs
        /// The records' fields, too.
        case records
    }

    public let name: String
    /// What for, in the administrator's own words.
    public let purpose: String
    public let send: Sending

    public init(name: String, purpose: String, send: Sending) {
        self.name = name
        self.purpose = purpose
        self.send = send
    }

    /// Whether a grant that named this recipient covers the other one, which may receive less.
    func covers(_ other: RecordCollector) -> Bool {
        name == other.name && purpose == other.purpose && (send == .records || other.send == .proofs)
    }
}

/// The recipient changed: records that are sent from now on go to a different collector or address, for another purpose, or with
/// more or less.
public struct CollectorChange: Sendable, Hashable {
    /// `nil`: nothing is sent.
    public let from: RecordCollector?
    public let to: RecordCollector?
    /// Where they are sent; `nil` if nothing is.
    public let url: String?

    public init(from: RecordCollector?, to: RecordCollector?, at url: String?) {
        self.from = from
        self.to = to
        self.url = url
    }
}
