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

    static func describe(_ data: UnkeptData) -> Fields {
        [
            "session": .string(data.session),
            "client": .string(data.client.rawValue),
            "user": .integer(Int64(data.user)),
            "dataKind": .string(data.kind.rawValue),
            "reason": .string(data.reason),
        ]
    }

    static func describe(_ data: ErasedData) -> Fields {
        [
            "items": .texts(data.items),
            "dataKinds": .texts(data.kinds.map(\.rawValue)),
            "client": .string(data.client.rawValue),
            "user": .integer(Int64(data.user)),
            "reason": .string(data.reason.rawValue),
        ]
    }

    static func describe(_ data: SharedData) -> Fields {
        [
            "session": .string(data.session),
            "client": .string(data.client.rawValue),
            "user": .integer(Int64(data.user)),
            "recipients": .texts(data.recipients),
            "dataKinds": .texts(data.kinds.map(\.rawValue)),
            "basis": .string(data.basis.rawValue),
        ]
    }
}
