import Authorization
import Base
import Foundation

/// A decision as stored in its row, not yet checked.
public struct StoredDecision: KeyedDecision {
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
    /// The terms of a grant as JSON; `nil` for a denial.
    public let terms: String?
    public let indication: String
    /// Milliseconds since 1970.
    public let decidedAt: Int64
    /// Index of the record that made it; `nil` until that is written.
    public var record: Int64?

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
            terms: decision.terms.map { $0.json(of: decision.program).canonical },
            indication: decision.indication.rawValue, decidedAt: Timestamp(decision.decidedAt).milliseconds,
            record: decision.record.map(Int64.init(clamping:)))
    }

    /// - Returns: `nil` if a column has an invalid value.
    var decision: Decision? {
        guard let user = UInt32(exactly: key.user), let client = ClientIdentifier(rawValue: key.client),
            let resource = Resource(rawValue: key.resource), let verdict = Verdict(rawValue: verdict),
            let indication = Indication(rawValue: indication)
        else { return nil }
        let json = terms.flatMap { JSONValue(canonical: Data($0.utf8)) }
        let storedTerms = json.flatMap { Terms(json: $0) }
        // A grant without terms is read, and permits nothing: only its record shows whether the row was changed.
        guard (storedTerms == nil) == (terms == nil) else { return nil }
        return Decision(
            key: DecisionKey(user: user, client: client, resource: resource), verdict: verdict,
            program: executableSHA256.map {
                AllowedProgram(sha256: $0, path: executablePath, size: json?.object?["programSize"]?.integer)
            }, terms: storedTerms,
            indication: indication, decidedAt: Timestamp(milliseconds: decidedAt).date,
            record: record.flatMap(UInt64.init(exactly:)))
    }
}

/// What an append changes in the stored decisions.
public typealias StoredChange = Change<StoredDecision>

/// The field `change` of a record: `{"action":"store"|"remove","user":…,"client":…,"resource":…, …}`.
extension StoredChange: RecordValue {
    init(_ change: DecisionChange) {
        self = change.decision.map { .store(StoredDecision($0)) } ?? .remove(StoredDecision.Key(change.key))
    }

    public var json: JSONValue {
        var members: [String: JSONValue] = [
            "user": .integer(key.user), "client": .string(key.client), "resource": .string(key.resource),
            "action": .string(decision == nil ? "remove" : "store"),
        ]
        if let decision {
            members["verdict"] = .string(decision.verdict)
            members["executableSHA256"] = JSONValue(decision.executableSHA256)
            // Absent if there is none.
            if let path = decision.executablePath { members["executablePath"] = .string(path) }
            if let terms = decision.terms { members["terms"] = .string(terms) }
            // Absent if this record makes it.
            if let record = decision.record { members["record"] = .integer(record) }
            members["indication"] = .string(decision.indication)
            members["decidedAt"] = .string(Timestamp(milliseconds: decision.decidedAt).text)
        }
        return .object(members)
    }

    /// - Returns: `nil` when the value describes no change.
    public init?(json: JSONValue) {
        guard let members = json.object, let user = members["user"]?.integer, let client = members["client"]?.string,
            let resource = members["resource"]?.string
        else { return nil }
        let key = StoredDecision.Key(user: user, client: client, resource: resource)
        switch members["action"]?.string {
        case "store":
            guard let verdict = members["verdict"]?.string, let indication = members["indication"]?.string,
                let decidedAt = members["decidedAt"]?.string.flatMap(Timestamp.init)
            else { return nil }
            self = .store(
                StoredDecision(
                    key: key, verdict: verdict, executableSHA256: members["executableSHA256"]?.string,
                    executablePath: members["executablePath"]?.string, terms: members["terms"]?.string,
                    indication: indication, decidedAt: decidedAt.milliseconds, record: members["record"]?.integer))
        case "remove":
            self = .remove(key)
        default:
            return nil
        }
    }
}

/// `{"scope":…,"upgrade":…,"fidelity":…,"usedAt":{"boot":…,"sinceBoot":…,"wall":…},"reviewedAt":{…},"agreed":{…}}`,
/// milliseconds, and `"programSize":…` in bytes beside it.
extension Terms {
    /// - Parameter program: of the grant; its size is stored beside the terms.
    func json(of program: AllowedProgram?) -> JSONValue {
        var members: [String: JSONValue] = [
            "scope": .string(scope.rawValue), "upgrade": .string(upgrade.rawValue),
            "fidelity": .string(fidelity.rawValue), "usedAt": Self.json(usedAt), "reviewedAt": Self.json(reviewedAt),
            "agreed": agreed.json,
        ]
        if let size = program?.size { members["programSize"] = .integer(size) }
        if let reviewAskedAt { members["reviewAskedAt"] = Self.json(reviewAskedAt) }
        return .object(members)
    }

    /// - Returns: `nil` when the value is not of this form.
    init?(json: JSONValue) {
        guard let members = json.object, let scope = members["scope"]?.string.flatMap(Scope.init),
            let upgrade = members["upgrade"]?.string.flatMap(Upgrade.init),
            let fidelity = members["fidelity"]?.string.flatMap(Fidelity.init),
            let usedAt = members["usedAt"].flatMap(Self.moment),
            let reviewedAt = members["reviewedAt"].flatMap(Self.moment),
            let agreed = members["agreed"].flatMap(Agreement.init(json:))
        else { return nil }
        self.init(
            scope: scope, upgrade: upgrade, fidelity: fidelity, usedAt: usedAt, reviewedAt: reviewedAt, agreed: agreed)
        reviewAskedAt = members["reviewAskedAt"].flatMap(Self.moment)
    }

    private static func json(_ moment: Moment) -> JSONValue {
        .object([
            "boot": .string(moment.boot), "sinceBoot": .integer(moment.sinceBoot), "wall": .integer(moment.wall),
        ])
    }

    private static func moment(_ json: JSONValue) -> Moment? {
        guard let members = json.object, let boot = members["boot"]?.string,
            let sinceBoot = members["sinceBoot"]?.integer, let wall = members["wall"]?.integer
        else { return nil }
        return Moment(boot: boot, sinceBoot: sinceBoot, wall: wall)
    }
}

/// `{"transcript":"P30D"}`
extension KeepingTimes {
    var json: JSONValue {
        .object(reduce(into: [String: JSONValue]()) { $0[$1.key.rawValue] = .string($1.value.text) })
    }

    /// - Returns: `nil` when the value is not of this form.
    init?(json: JSONValue) {
        guard let members = json.object else { return nil }
        self.init()
        for (word, text) in members {
            guard let kind = DataKind(rawValue: word), let time = text.string.flatMap(KeepingTime.init) else {
                return nil
            }
            self[kind] = time
        }
    }
}
