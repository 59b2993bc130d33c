import Foundation

/// One denial of an administrator. A rule can only restrict; there is no way to write a grant.
public struct PolicyRule: Sendable, Hashable {
    /// The resource it is about; `nil`: both.
    public let resource: Resource?
    /// The client it is about; `nil`: all.
    public let client: ClientIdentifier?
    /// The user it is about; `nil`: all.
    public let user: UInt32?
    /// When it restricts; `nil`: always.
    public let hours: PolicyHours?
    /// What the person is told.
    public let reason: String?

    public init(
        resource: Resource?, client: ClientIdentifier?, user: UInt32?, hours: PolicyHours? = nil, reason: String?
    ) {
        self.resource = resource
        self.client = client
        self.user = user
        self.hours = hours
        self.reason = reason
    }

    /// - Parameter timeZone: the one whose clocks the hours are about.
    public func covers(_ key: DecisionKey, at date: Date, in timeZone: TimeZone = .autoupdatingCurrent) -> Bool {
        (resource == nil || resource == key.resource) && (client == nil || client == key.client)
            && (user == nil || user == key.user) && isInForce(at: date, in: timeZone)
    }

    /// Whether its hours are now.
    public func isInForce(at date: Date, in timeZone: TimeZone) -> Bool {
        guard let hours else { return true }
        return hours.contains(LocalTime(date, in: timeZone))
    }
}
