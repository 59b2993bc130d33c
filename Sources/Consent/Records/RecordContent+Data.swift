import Authorization

/// What is kept, shared and erased.
extension RecordContent {
    static func describe(_ data: RetainedData) -> Fields {
        let until: JSONValue =
            switch data.until {
            case .date(let date): .time(date)
            case .untilWithdrawn: .string("untilWithdrawn")
            }
        return [
            "session": .string(data.session),
            "client": .string(data.client.rawValue),
            "user": .integer(Int64(data.user)),
            "item": .string(data.item),
            "dataKind": .string(data.kind.rawValue),
            "bytes": .integer(data.bytes),
            "until": until,
            "location": .string(data.location),
        ]
    }

    /// Either `items` and their kinds, or `records`, which `ErasedRecords` reads.
    static func describe(_ data: ErasedData) -> Fields {
        let what: Fields =
            data.records.isEmpty
            ? ["items": .texts(data.items), "dataKinds": .texts(data.kinds.map(\.rawValue))]
            : ["records": .ranges(data.records)]
        return what + ["reason": .string(data.reason.rawValue)]
            + .optional("client", data.client.map { .string($0.rawValue) })
            + .optional("user", data.user.map { .integer(Int64($0)) })
            + .optional("request", data.request.map(JSONValue.string))
    }

    static func describe(_ data: SharedData) -> Fields {
        [
            "session": .string(data.session),
            "client": .string(data.client.rawValue),
            "user": .integer(Int64(data.user)),
            "recipients": .texts(data.recipients),
            "dataKinds": .texts(data.kinds.map(\.rawValue)),
            "basis": .string("declared"),
        ]
    }
}
