/// A record as it is shown: by `voicegate audit records` and over the socket.
public struct AuditRecord: Sendable, Hashable, Codable {
    public let index: UInt64
    public let kind: String
    /// RFC 3339, UTC, milliseconds.
    public let time: String
    public let fields: [String: JSONValue]
    /// Whether fields that it once had were erased.
    public let isErased: Bool

    public init(_ record: ConsentRecord) {
        index = record.index
        kind = record.kind.rawValue
        time = record.time.text
        fields = record.fields
        isErased = record.isErased
    }

    /// One line of JSON: index, kind, time, fields (sorted by name), isErased.
    public var line: String {
        let members: [(String, JSONValue)] = [
            ("index", .integer(Int64(clamping: index))), ("kind", .string(kind)), ("time", .string(time)),
            ("fields", .object(fields)), ("isErased", .boolean(isErased)),
        ]
        return "{" + members.map { "\"\($0)\":\($1.canonical)" }.joined(separator: ",") + "}"
    }
}
