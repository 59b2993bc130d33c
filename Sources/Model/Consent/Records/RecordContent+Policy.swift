import Authorization

/// What an administrator forbids, and what that ends. None of it is the person's own choice.
extension RecordContent {
    static func cause(_ cause: String, _ rule: PolicyRule) -> Fields {
        ["cause": .string(cause), "rule": .object(describe(rule)), "indication": .string("policy")]
    }

    private static func describe(_ rule: PolicyRule) -> Fields {
        hours(of: rule) + [
            "resource": JSONValue(rule.resource?.rawValue),
            "client": JSONValue(rule.client?.rawValue),
            "user": rule.user.map { .integer(Int64($0)) } ?? .null,
            "reason": JSONValue(rule.reason),
        ]
    }

    static func describe(_ policy: Policy, _ source: PolicyProvenance) -> Fields {
        let timeZone: Fields = policy.hasHours ? ["timeZone": .string(policy.timeZone.identifier)] : [:]
        return timeZone + [
            "rules": .array(policy.rules.map { .object(describe($0)) }),
            "files": .object(source.files.mapValues(JSONValue.string)),
            "brokenFiles": .object(source.broken.mapValues(JSONValue.string)),
        ]
    }

    private static func hours(of rule: PolicyRule) -> Fields {
        guard let hours = rule.hours else { return [:] }
        return [
            "hours": .texts(hours.windows.map(\.text)),
            "days": .texts(hours.sortedDays.map(\.rawValue)),
        ]
    }
}
