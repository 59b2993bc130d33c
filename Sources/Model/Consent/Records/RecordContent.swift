/// What a record says, before it has a place in the log.
struct RecordContent: Sendable, Hashable {
    let kind: RecordKind
    let fields: [String: JSONValue]
}
