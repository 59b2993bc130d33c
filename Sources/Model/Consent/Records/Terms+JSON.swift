import Authorization

/// `{"scope":…,"upgrade":…,"fidelity":…,"usedAt":{"boot":…,"sinceBoot":…,"wall":…},"reviewedAt":{…}}`, milliseconds; and
/// `"kept":{"transcript":"P30D"}` where something may be kept, and `"engine":"wyoming:unix:///…"` where somebody outside of the
/// service may recognise. Terms without them agreed to neither.
extension Terms {
    var json: JSONValue {
        var agreed: [String: JSONValue] = kept.isEmpty ? [:] : ["kept": kept.json]
        if let engine { agreed["engine"] = .string(engine) }
        return .object(
            [
                "scope": .string(scope.rawValue), "upgrade": .string(upgrade.rawValue),
                "fidelity": .string(fidelity.rawValue), "usedAt": Self.json(usedAt),
                "reviewedAt": Self.json(reviewedAt),
            ].merging(agreed) { $1 })
    }

    /// - Returns: `nil` when the value is not of this form.
    init?(json: JSONValue) {
        guard let members = json.object, let scope = members["scope"]?.string.flatMap(Scope.init),
            let upgrade = members["upgrade"]?.string.flatMap(Upgrade.init),
            let fidelity = members["fidelity"]?.string.flatMap(Fidelity.init),
            let usedAt = members["usedAt"].flatMap(Self.moment),
            let reviewedAt = members["reviewedAt"].flatMap(Self.moment)
        else { return nil }
        var kept: KeepingTimes = [:]
        if let json = members["kept"] {
            guard let times = KeepingTimes(json: json) else { return nil }
            kept = times
        }
        self.init(
            scope: scope, upgrade: upgrade, fidelity: fidelity, usedAt: usedAt, reviewedAt: reviewedAt, kept: kept,
            engine: members["engine"]?.string)
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
