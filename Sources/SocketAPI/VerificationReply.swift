/// `GET /v1/audit/verification`: whether every record fits the ones before it.
public struct VerificationReply: Sendable, Hashable, Codable {
    /// The first record that does not fit.
    public struct Problem: Sendable, Hashable, Codable {
        public var index: Int64
        /// A sentence.
        public var reason: String

        public init(index: Int64, reason: String) {
            self.index = index
            self.reason = reason
        }
    }

    public var verified: Bool
    /// How many records the log has.
    public var records: Int64
    /// The Merkle tree's root over all records, base64.
    public var root: String
    public var problem: Problem?

    public init(verified: Bool, records: Int64, root: String, problem: Problem? = nil) {
        self.verified = verified
        self.records = records
        self.root = root
        self.problem = problem
    }
}
