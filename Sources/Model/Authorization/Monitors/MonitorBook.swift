/// The monitors that are registered, in bounded number.
public struct MonitorBook: Sendable {
    public static let mostOfClient = 4
    public static let mostOfUser = 16

    public private(set) var monitors: [MonitorRegistration]

    public init(_ monitors: [MonitorRegistration] = []) { self.monitors = monitors }

    public var owners: Set<MonitorOwner> { Set(monitors.map { MonitorOwner($0) }) }

    public func monitors(of owner: MonitorOwner) -> [MonitorRegistration] {
        monitors.filter { MonitorOwner($0) == owner }
    }

    public func monitor(_ identifier: String) throws(MonitorError) -> MonitorRegistration {
        guard let found = monitors.first(where: { $0.identifier == identifier }) else {
            throw MonitorError(
                code: .unknown, message: "There is no such monitor. To see which there are: voicegate monitor list")
        }
        return found
    }

    /// Whether there is room for it; ask before it is written down.
    public func check(_ monitor: MonitorRegistration) throws(MonitorError) {
        let ofClient = monitors(of: MonitorOwner(monitor))
        guard !ofClient.contains(where: { $0.kind == monitor.kind && $0.action == monitor.action }) else {
            throw MonitorError(
                code: .alreadyRegistered, message: "\(monitor.client) has registered the same monitor already.")
        }
        guard ofClient.count < Self.mostOfClient, monitors.count(where: { $0.user == monitor.user }) < Self.mostOfUser
        else {
            throw MonitorError(
                code: .tooMany,
                message: "A client may have \(Self.mostOfClient) monitors, and a user \(Self.mostOfUser). Remove one: "
                    + "voicegate monitor remove ID")
        }
    }

    public mutating func add(_ monitor: MonitorRegistration) { monitors.append(monitor) }

    public mutating func remove(_ identifier: String) { monitors.removeAll { $0.identifier == identifier } }
}
