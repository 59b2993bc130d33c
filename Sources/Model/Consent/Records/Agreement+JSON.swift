import Authorization

/// `{"language":"en","usageDescription":…,"purpose":…,"alwaysUsageDescription":…,"kinds":[…],"retention":…,"recipients":[…],"backgroundModes":[…],
/// "launchCommand":[…],"phrases":[…],"kept":{…},"engine":…,"model":…,"collector":{…}}`. Absent: `language` without a notice,
/// `alwaysUsageDescription` if always was not asked about, `retention` if nothing is kept, `recipients` if they are not
/// declared, and what is empty or unknown.
extension Agreement {
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "usageDescription": .string(usageDescription), "purpose": .string(purpose),
            "kinds": .texts(kinds.map(\.rawValue)),
        ]
        if let language { members["language"] = .string(language.rawValue) }
        if let text = alwaysUsageDescription { members["alwaysUsageDescription"] = .string(text) }
        if let retention { members["retention"] = .string(retention) }
        if let recipients { members["recipients"] = .texts(recipients) }
        if !kept.isEmpty { members["kept"] = kept.json }
        if !backgroundModes.isEmpty { members["backgroundModes"] = .texts(backgroundModes.map(\.rawValue)) }
        if !launchCommand.isEmpty { members["launchCommand"] = .texts(launchCommand) }
        if !phrases.isEmpty { members["phrases"] = .texts(phrases) }
        if let engine { members["engine"] = .string(engine) }
        if let model { members["model"] = .string(model) }
        if let collector { members["collector"] = collector.json }
        return .object(members)
    }

    /// Of the canonical JSON, in lower-case hexadecimal.
    public var sha256: String { RecordContent.sha256(of: json.canonical) }

    /// - Returns: `nil` when the value is not of this form.
    init?(json: JSONValue) {
        guard let members = json.object, let description = members["usageDescription"]?.string,
            let purpose = members["purpose"]?.string,
            let kinds = Self.words(members["kinds"], DataKind.init(rawValue:)),
            let recipients = Self.words(members["recipients"] ?? .texts([]), { $0 }),
            let kept = KeepingTimes(json: members["kept"] ?? .object([:])),
            let modes = Self.words(members["backgroundModes"] ?? .texts([]), BackgroundMode.init(rawValue:)),
            let command = Self.words(members["launchCommand"] ?? .texts([]), { $0 }),
            let phrases = Self.words(members["phrases"] ?? .texts([]), { $0 })
        else { return nil }
        self.init(kept: kept)
        language = members["language"]?.string.flatMap(Language.init(rawValue:))
        collector = members["collector"].flatMap(RecordCollector.init)
        guard (language == nil) == (members["language"] == nil), (collector == nil) == (members["collector"] == nil)
        else { return nil }
        usageDescription = description
        self.purpose = purpose
        self.kinds = kinds
        alwaysUsageDescription = members["alwaysUsageDescription"]?.string
        retention = members["retention"]?.string
        self.recipients = members["recipients"] == nil ? nil : recipients
        backgroundModes = modes
        launchCommand = command
        self.phrases = phrases
        engine = members["engine"]?.string
        model = members["model"]?.string
    }

    private static func words<Value>(_ json: JSONValue?, _ value: (String) -> Value?) -> [Value]? {
        guard let words = json?.array else { return nil }
        let values = words.compactMap { $0.string.flatMap(value) }
        return values.count == words.count ? values : nil
    }
}
