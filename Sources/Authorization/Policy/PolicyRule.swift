import Foundation

/// One denial of an administrator. A rule can only restrict; there is no way to write a grant.
public struct PolicyRule: Sendable, Hashable {
    /// The resource it is about; `nil`: both.
    public let resource: Resource?
    /// The client it is about; `nil`: all.
    public let client: ClientIdentifier?
    /// The user it is about; `nil`: all.
    public let user: UInt32?
    /// What the person is told.
    public let reason: String?

    public init(resource: Resource?, client: ClientIdentifier?, user: UInt32?, reason: String?) {
        self.resource = resource
        self.client = client
        self.user = user
        self.reason = reason
    }

    public func covers(_ key: DecisionKey, at date: Date) -> Bool {
        (resource == nil || resource == key.resource) && (client == nil || client == key.client)
            && (user == nil || user == key.user)
    }
}
