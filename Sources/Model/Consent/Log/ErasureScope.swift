import Authorization
import Foundation

/// Whose fields are to be erased: records to which all that is named applies.
public struct ErasureScope: Sendable, Hashable {
    public var client: ClientIdentifier?
    /// The person, by the system's number.
    public var user: UInt32?
    /// A session, with all that belongs to it.
    public var session: String?
    /// Only what happened before.
    public var before: Date?

    public init(
        client: ClientIdentifier? = nil, user: UInt32? = nil, session: String? = nil, before: Date? = nil
    ) {
        self.client = client
        self.user = user
        self.session = session
        self.before = before
    }

    func admits(_ record: ConsentRecord) -> Bool {
        if let client, record.fields["client"]?.string != client.rawValue { return false }
        if let user, record.fields["user"]?.integer != Int64(user) { return false }
        if let session, record.fields["session"]?.string != session { return false }
        if let before, record.time >= Timestamp(before) { return false }
        return true
    }
}
