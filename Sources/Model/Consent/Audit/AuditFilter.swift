import Authorization
import Foundation

/// Which records to read.
public struct AuditFilter: Sendable, Hashable {
    /// Only what happened then or later.
    public var since: Date?
    /// Only what happened before.
    public var until: Date?
    /// Only the last so many that match.
    public var limit: Int?
    /// Only records whose field `client` is this one.
    public var client: ClientIdentifier?
    /// Only records about this person: their pseudonym (field `subject`) or their user number (field `user`), as text.
    public var subject: String?
    /// Only records about this user, by number, and what everybody needs who checks the log: its beginning, its keys and
    /// its published checkpoints. Unlike `subject` it is no wish but a bound.
    public var owner: UInt32?

    public init(
        since: Date? = nil, until: Date? = nil, limit: Int? = nil, client: ClientIdentifier? = nil,
        subject: String? = nil, owner: UInt32? = nil
    ) {
        self.since = since
        self.until = until
        self.limit = limit
        self.client = client
        self.subject = subject
        self.owner = owner
    }

    func admits(_ record: ConsentRecord) -> Bool {
        if let since, record.time < Timestamp(since) { return false }
        if let until, record.time >= Timestamp(until) { return false }
        if let owner, !Self.isForEverybody(record.kind), record.fields["user"]?.integer != Int64(owner) { return false }
        if let client, record.fields["client"]?.string != client.rawValue { return false }
        if let subject {
            return record.fields["subject"]?.string == subject
                || record.fields["user"]?.integer.map(String.init) == subject
        }
        return true
    }

    private static func isForEverybody(_ kind: RecordKind) -> Bool {
        [.genesis, .keyRotated, .checkpointPublished].contains(kind)
    }
}
