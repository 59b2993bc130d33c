/// The client of one user that monitors belong to; they listen together and start one program.
public struct MonitorOwner: Sendable, Hashable {
    public let user: UInt32
    public let client: ClientIdentifier

    public init(user: UInt32, client: ClientIdentifier) {
        self.user = user
        self.client = client
    }

    public init(_ monitor: MonitorRegistration) { self.init(user: monitor.user, client: monitor.client) }
}
