import Authorization

/// A decision as its row holds it, not yet checked.
public struct StoredDecision: Sendable, Hashable {
    /// What is decided; there is one row for each.
    public struct Key: Sendable, Hashable {
        public let user: Int64
        public let client: String
        public let resource: String

        public init(user: Int64, client: String, resource: String) {
            self.user = user
            self.client = client
            self.resource = resource
        }

        init(_ key: DecisionKey) {
            self.init(user: Int64(key.user), client: key.client.rawValue, resource: key.resource.rawValue)
        }
    }

    public let key: Key
    public let verdict: String
    public let executableSHA256: String?
    public let indication: String
    /// Milliseconds since 1970.
    public let decidedAt: Int64

    public init(key: Key, verdict: String, executableSHA256: String?, indication: String, decidedAt: Int64) {
        self.key = key
        self.verdict = verdict
        self.executableSHA256 = executableSHA256
        self.indication = indication
        self.decidedAt = decidedAt
    }

    init(_ decision: Decision) {
        self.init(
            key: Key(decision.key), verdict: decision.verdict.rawValue, executableSHA256: decision.executableSHA256,
            indication: decision.indication.rawValue, decidedAt: Timestamp(decision.decidedAt).milliseconds)
    }

    /// - Returns: `nil` when a column holds what no decision has.
    var decision: Decision? {
        guard let user = UInt32(exactly: key.user), let client = ClientIdentifier(rawValue: key.client),
            let resource = Resource(rawValue: key.resource), let verdict = Verdict(rawValue: verdict),
            let indication = Indication(rawValue: indication)
        else { return nil }
        return Decision(
            key: DecisionKey(user: user, client: client, resource: resource), verdict: verdict,
            executableSHA256: executableSHA256, indication: indication,
            decidedAt: Timestamp(milliseconds: decidedAt).date)
    }
}
