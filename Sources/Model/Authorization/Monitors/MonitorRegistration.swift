import Foundation

/// A client's wish to be started, or its person to be told, when something is heard.
public struct MonitorRegistration: Sendable, Hashable {
    /// UUID.
    public let identifier: String
    public let user: UInt32
    public let client: ClientIdentifier
    public let kind: MonitorKind
    public let action: MonitorAction

    public init(identifier: String, user: UInt32, client: ClientIdentifier, kind: MonitorKind, action: MonitorAction) {
        self.identifier = identifier
        self.user = user
        self.client = client
        self.kind = kind
        self.action = action
    }
}
