import Authorization

/// `{"language":"en","usageDescription":…,"purpose":…,"alwaysUsageDescription":…,"kinds":[…],"retention":…,"recipients":[…],"backgroundModes":[…],
/// "launchCommand":[…],"kept":{…},"engine":…,"model":…,"collector":{…}}`. Absent: `alwaysUsageDescription` if always
/// was not asked about, `retention` if nothing is kept, `recipients` if they are not declared, and what is empty or unknown.
extension Agreement {
    var json: JSONValue {
        var members = bound
        members["language"] = JSONValue(language?.rawValue)
        members["usageDescription"] = .string(usageDescription)
        members["purpose"] = .string(purpose)
        members["kinds"] = .texts(kinds.map(\.rawValue))
        if let text = alwaysUsageDescription { members["alwaysUsageDescription"] = .string(text) }
        if let retention { members["retention"] = .string(retention) }
        if let recipients { members["recipients"] = .texts(recipients) }
        if !backgroundModes.isEmpty { members["backgroundModes"] = .texts(backgroundModes.map(\.rawValue)) }
        if !launchCommand.isEmpty { members["launchCommand"] = .texts(launchCommand) }
        return .object(members)
    }

    /// What is bound without a notice, too.
    var bound: [String: JSONValue] {
        var members: [String: JSONValue] = kept.isEmpty ? [:] : ["kept": kept.json]
        if let engine { members["engine"] = .string(engine) }
        if let model { members["model"] = .string(model) }
        if let collector { members["collector"] = collector.json }
        return members
    }

    /// Of the canonical JSON, in lower-case hexadecimal.
    public var sha256: String { RecordContent.sha256(of: json.canonical) }

    /// - Returns: `nil` when the value is not of this form.
    init?(json: JSONValue) {
        guard let members = json.object, let language = members["language"]?.string.flatMap(Language.init(rawValue:)),
            let description = members["usageDescription"]?.string, let purpose = members["purpose"]?.string,
            let kinds = Self.words(members["kinds"], DataKind.init(rawValue:)),
            let recipients = Self.words(members["recipients"] ?? .texts([]), { $0 }),
            let modes = Self.words(members["backgroundModes"] ?? .texts([]), BackgroundMode.init(rawValue:)),
            let command = Self.words(members["launchCommand"] ?? .texts([]), { $0 })
        else { return nil }
        self.init(bound: members)
        self.language = language
        usageDescription = description
        self.purpose = purpose
        self.kinds = kinds
        alwaysUsageDescription = members["alwaysUsageDescription"]?.string
        retention = members["retention"]?.string
        self.recipients = members["recipients"] == nil ? nil : recipients
        backgroundModes = modes
        launchCommand = command
    }

    /// - Returns: `nil` when a value is not of this form.
    init?(bound members: [String: JSONValue]) {
        var kept: KeepingTimes = [:]
        if let json = members["kept"] {
            guard let times = KeepingTimes(json: json) else { return nil }
            kept = times
        }
        var collector: RecordCollector?
        if let json = members["collector"] {
            guard let value = RecordCollector(json: json) else { return nil }
            collector = value
        }
        self.init(
            kept: kept, engine: members["engine"]?.string, model: members["model"]?.string, collector: collector)
    }

    private static func words<Value>(_ json: JSONValue?, _ value: (String) -> Value?) -> [Value]? {
        guard let words = json?.array else { return nil }
        let values = words.compactMap { $0.string.flatMap(value) }
        return values.count == words.count ? values : nil
    }
}

extension RecordCollector {
    var json: JSONValue {
        .object(["name": .string(name), "purpose": .string(purpose), "send": .string(send.rawValue)])
    }

    /// - Returns: `nil` when the value is not of this form.
    public init?(json: JSONValue) {
        guard let name = json.object?["name"]?.string, let purpose = json.object?["purpose"]?.string,
            let send = json.object?["send"]?.string.flatMap(Sending.init(rawValue:))
        else { return nil }
        self.init(name: name, purpose: purpose, send: send)
    }
}

extension ConsentRecord {
    /// What the notice in the record of an answer declared, for answers whose terms do not have it; `nil` if there was none,
    /// or it was erased.
    var shownAgreement: Agreement? {
        guard let language = fields["language"]?.string.flatMap(Language.init(rawValue:)),
            let notice = fields["notice"]?.string, let purpose = fields["purpose"]?.string,
            let kinds = fields["dataKinds"]?.array?.compactMap({ $0.string.flatMap(DataKind.init(rawValue:)) })
        else { return nil }
        var agreement = Agreement()
        agreement.language = language
        // A title, the description, four items.
        let lines = notice.split(separator: "\n", omittingEmptySubsequences: false)
        agreement.usageDescription = lines.count == 6 ? String(lines[1]) : ""
        agreement.purpose = purpose
        agreement.kinds = kinds
        agreement.retention = fields["retention"]?.string
        agreement.recipients = fields["recipients"]?.array?.compactMap(\.string)
        return agreement
    }
}
