/// The field `change` of a record: `{"action":"store"|"remove","user":…,"client":…,"resource":…, …}`.
extension StoredChange {
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "user": .integer(key.user), "client": .string(key.client), "resource": .string(key.resource),
        ]
        switch self {
        case .store(let decision):
            members["action"] = .string("store")
            members["verdict"] = .string(decision.verdict)
            members["executableSHA256"] = JSONValue(decision.executableSHA256)
            // Left out where there is none, as in the records of version 1.
            if let path = decision.executablePath { members["executablePath"] = .string(path) }
            if let terms = decision.terms { members["terms"] = .string(terms) }
            // Left out where this very record makes it.
            if let record = decision.record { members["record"] = .integer(record) }
            members["indication"] = .string(decision.indication)
            members["decidedAt"] = .string(Timestamp(milliseconds: decision.decidedAt).text)
        case .remove:
            members["action"] = .string("remove")
        }
        return .object(members)
    }

    /// - Returns: `nil` when the value describes no change.
    init?(json: JSONValue) {
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
