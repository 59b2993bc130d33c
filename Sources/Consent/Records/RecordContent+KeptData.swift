import Authorization

extension RecordContent {
    static func describe(_ data: RetainedData) -> (RecordKind, [String: JSONValue]) {
        (
            .dataRetained,
            [
                "session": .string(data.session), "client": .string(data.client.rawValue),
                "user": .integer(Int64(data.user)), "item": .string(data.item),
                "dataKind": .string(data.kind.rawValue), "bytes": .integer(data.bytes),
                "until": .string(data.until.map { Timestamp($0).text } ?? KeepingTime.untilWithdrawn.text),
                // In the service's own state directory, encrypted.
                "location": .string("local"),
            ]
        )
    }

    static func describe(_ data: UnkeptData) -> (RecordKind, [String: JSONValue]) {
        (
            .dataNotKept,
            [
                "session": .string(data.session), "client": .string(data.client.rawValue),
                "user": .integer(Int64(data.user)), "dataKind": .string(data.kind.rawValue),
                "reason": .string(data.reason),
            ]
        )
    }

    static func describe(_ data: ErasedData) -> (RecordKind, [String: JSONValue]) {
        (
            .dataErased,
            [
                "items": .array(data.items.map(JSONValue.string)),
                "dataKinds": .array(data.kinds.map(\.rawValue).sorted().map(JSONValue.string)),
                "client": .string(data.client.rawValue), "user": .integer(Int64(data.user)),
                "reason": .string(data.reason.rawValue),
            ]
        )
    }
}
