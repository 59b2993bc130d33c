import Authorization
import Foundation

/// Which records to read.
public struct AuditFilter: Sendable, Hashable {
    /// Only what happened then or later.
    public var since: Date?
    /// Only the last so many that match.
    public var limit: Int?
    /// Only records whose field `client` is this one.
    public var client: ClientIdentifier?

    public init(since: Date? = nil, limit: Int? = nil, client: ClientIdentifier? = nil) {
        self.since = since
        self.limit = limit
        self.client = client
    }

    func admits(_ record: ConsentRecord) -> Bool {
        if let since, record.time < Timestamp(since) { return false }
        if let client, record.fields["client"]?.string != client.rawValue { return false }
        return true
    }
}
