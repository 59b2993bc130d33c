import Authorization

/// The values of fields that are objects.
extension Controller: RecordValue {
    public var json: JSONValue {
        .object(["name": .string(name), "address": JSONValue(address), "contact": JSONValue(contact)])
    }

    public init?(json: JSONValue) {
        guard let members = json.object, let name = members["name"]?.string else { return nil }
        self.init(name: name, address: members["address"]?.string, contact: members["contact"]?.string)
    }
}

/// Unknown values are left out.
extension SpeechEngine: RecordValue {
    public var json: JSONValue {
        let texts = ["name": name, "version": version, "modelSHA256": model, "recipient": recipient]
        return texts.compactMapValues { $0 }.json
    }

    public init?(json: JSONValue) {
        guard let texts = [String: String](json: json) else { return nil }
        self.init(
            recipient: texts["recipient"], name: texts["name"], version: texts["version"], model: texts["modelSHA256"])
    }

    /// Its name and version as records describe it; `nil`: not named.
    public var nameAndVersion: String? {
        (name ?? recipient).map { name in version.map { "\(name) \($0)" } ?? name }
    }
}

extension RecordCollector: RecordValue {
    public var json: JSONValue {
        .object(["name": .string(name), "purpose": .string(purpose), "send": .string(send.rawValue)])
    }

    public init?(json: JSONValue) {
        guard let name = json.object?["name"]?.string, let purpose = json.object?["purpose"]?.string,
            let send = json.object?["send"]?.string.flatMap(Sending.init(rawValue:))
        else { return nil }
        self.init(name: name, purpose: purpose, send: send)
    }
}

/// What a session's end record counts, in milliseconds of device time, which add up to the session's.
public struct ListeningCounts: Sendable, Hashable {
    /// Given to a recogniser, by what allowed it (`ListeningGround`).
    public let heard: [String: Int64]
    /// Given to nothing, by the reason (`DropReason`).
    public let dropped: [String: Int64]
    public let paused: Int64
    public let suspended: Int64

    init(_ account: ListeningAccount) {
        let milliseconds = account.milliseconds
        func counts(_ kinds: [(String, ListeningAccount.Kind)]) -> [String: Int64] {
            Dictionary(uniqueKeysWithValues: kinds.compactMap { name, kind in milliseconds[kind].map { (name, $0) } })
        }
        heard = counts(ListeningGround.allCases.map { ($0.rawValue, .heard($0)) })
        dropped = counts(DropReason.allCases.map { ($0.rawValue, .dropped($0)) })
        paused = milliseconds[.paused] ?? 0
        suspended = milliseconds[.suspended] ?? 0
    }

    /// All that was given to a recogniser.
    public var allHeard: Int64 { heard.values.reduce(0, +) }
    /// The rest of its time.
    public var notHeard: Int64 { dropped.values.reduce(paused + suspended, +) }
}

extension SessionOutcome {
    var listening: ListeningCounts { ListeningCounts(account) }
}

extension ListeningCounts: RecordValue {
    public var json: JSONValue {
        .object([
            "heard": heard.json, "dropped": dropped.json, "paused": paused.json, "suspended": suspended.json,
        ])
    }

    public init?(json: JSONValue) {
        guard let json = json.object, let heard = json["heard"]?.object, let dropped = json["dropped"]?.object else {
            return nil
        }
        // Records are not trusted: a sum must not overflow.
        func count(_ value: JSONValue?) -> Int64 { min(max(value?.integer ?? 0, 0), 1 << 50) }
        self.heard = heard.mapValues(count)
        self.dropped = dropped.mapValues(count)
        paused = count(json["paused"])
        suspended = count(json["suspended"])
    }
}
