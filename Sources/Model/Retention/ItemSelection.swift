import Authorization
import Foundation

/// Which items are meant: those that fit all that is said.
public struct ItemSelection: Sendable, Hashable {
    public var identifiers: Set<String>?
    public var client: ClientIdentifier?
    public var user: UInt32?
    public var session: String?
    /// Those that were complete before it.
    public var before: Date?
    /// Those that were complete then or later.
    public var since: Date?
    /// Those that were heard with it.
    public var resource: Resource?

    public init(
        identifiers: Set<String>? = nil, client: ClientIdentifier? = nil, user: UInt32? = nil, session: String? = nil,
        before: Date? = nil, since: Date? = nil, resource: Resource? = nil
    ) {
        self.identifiers = identifiers
        self.client = client
        self.user = user
        self.session = session
        self.before = before
        self.since = since
        self.resource = resource
    }

    /// What was heard with a permission.
    public init(_ key: DecisionKey) { self.init(client: key.client, user: key.user, resource: key.resource) }

    public func contains(_ item: KeptItem) -> Bool {
        if let identifiers, !identifiers.contains(item.identifier) { return false }
        if let client, client != item.client { return false }
        if let user, user != item.user { return false }
        if let session, session != item.session { return false }
        if let before, item.date >= before { return false }
        if let since, item.date < since { return false }
        if let resource, !item.resources.contains(resource) { return false }
        return true
    }
}
