import Authorization
import Foundation

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
    public let executablePath: String?
    /// The terms of a yes as JSON; see `Terms+JSON.swift`. `nil` for a no, and for what version 1 stored.
    public let terms: String?
    public let indication: String
    /// Milliseconds since 1970.
    public let decidedAt: Int64
    /// Index of the record that made it; `nil` where version 2 or an earlier one stored it.
    public internal(set) var record: Int64?

    public init(
        key: Key, verdict: String, executableSHA256: String?, executablePath: String?, terms: String?,
        indication: String, decidedAt: Int64, record: Int64? = nil
    ) {
        self.key = key
        self.verdict = verdict
        self.executableSHA256 = executableSHA256
        self.executablePath = executablePath
        self.terms = terms
        self.indication = indication
        self.decidedAt = decidedAt
        self.record = record
    }

    init(_ decision: Decision) {
        self.init(
            key: Key(decision.key), verdict: decision.verdict.rawValue, executableSHA256: decision.program?.sha256,
            executablePath: decision.program?.path,
            terms: decision.terms.map { $0.json.canonical },
            indication: decision.indication.rawValue, decidedAt: Timestamp(decision.decidedAt).milliseconds,
            record: decision.record.map(Int64.init(clamping:)))
    }

    /// - Returns: `nil` when a column holds what no decision has.
    var decision: Decision? {
        guard let user = UInt32(exactly: key.user), let client = ClientIdentifier(rawValue: key.client),
            let resource = Resource(rawValue: key.resource), let verdict = Verdict(rawValue: verdict),
            let indication = Indication(rawValue: indication)
        else { return nil }
        var storedTerms: Terms?
        if let terms {
            storedTerms = JSONValue(canonical: Data(terms.utf8)).flatMap { Terms(json: $0) }
            if storedTerms == nil { return nil }
        } else if verdict == .authorized {
            // Version 1 knew no other terms, and no clock but the wall's.
            let then = Moment(boot: "", sinceBoot: 0, wall: decidedAt)
            storedTerms = Terms(scope: .whileInUse, usedAt: then, reviewedAt: then)
        }
        return Decision(
            key: DecisionKey(user: user, client: client, resource: resource), verdict: verdict,
            program: executableSHA256.map { AllowedProgram(sha256: $0, path: executablePath) }, terms: storedTerms,
            indication: indication, decidedAt: Timestamp(milliseconds: decidedAt).date,
            record: record.flatMap(UInt64.init(exactly:)))
    }
}
