import Foundation

/// Each line of `GET /v1/audit/records`: a record of the consent log.
public struct AuditRecordReply: Sendable, Hashable, Codable {
    /// The record's place in the log, from 0.
    public var index: Int64
    /// What happened, such as `decision.granted`.
    public var kind: String
    public var time: Date
    /// What it is about; which names there are depends on the kind.
    public var fields: [String: JSONValue]

    public init(index: Int64, kind: String, time: Date, fields: [String: JSONValue]) {
        self.index = index
        self.kind = kind
        self.time = time
        self.fields = fields
    }
}
