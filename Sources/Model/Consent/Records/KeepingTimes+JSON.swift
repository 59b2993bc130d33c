import Authorization

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
