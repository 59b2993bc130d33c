import Foundation

/// What a request is about; what is absent does not narrow it.
public struct RightsScope: Sendable, Hashable {
    public var client: ClientIdentifier?
    /// The user whose data it is.
    public var user: UInt32?
    /// The same by the pseudonym of the records.
    public var subject: String?
    /// UUID.
    public var session: String?
    /// What happened then or later.
    public var since: Date?
    /// What happened before.
    public var before: Date?

    public init(
        client: ClientIdentifier? = nil, user: UInt32? = nil, subject: String? = nil, session: String? = nil,
        since: Date? = nil, before: Date? = nil
    ) {
        self.client = client
        self.user = user
        self.subject = subject
        self.session = session
        self.since = since
        self.before = before
    }
}
