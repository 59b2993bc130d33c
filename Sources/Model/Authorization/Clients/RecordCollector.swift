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
