import Base

/// The registered monitors, in bounded number.
public struct MonitorBook: Sendable {
    public static let mostOfClient = 4
    public static let mostOfUser = 16

    public private(set) var monitors: [MonitorRegistration]

    public init(_ monitors: [MonitorRegistration] = []) { self.monitors = monitors }

    public var owners: Set<MonitorOwner> { Set(monitors.map { MonitorOwner($0) }) }

    public func monitors(of owner: MonitorOwner) -> [MonitorRegistration] {
        monitors.filter { MonitorOwner($0) == owner }
    }

    /// Checks the limits, which each action has for itself. Call before the registration is recorded.
    public func check(_ monitor: MonitorRegistration) throws(MonitorError) {
        let ofClient = monitors(of: MonitorOwner(monitor))
        guard !ofClient.contains(where: { $0.kind.isSame(as: monitor.kind) }) else {
            throw MonitorError(
                code: .alreadyRegistered, message: "\(monitor.client) has already registered this monitor.")
        }
        let ofUser = monitors.count { $0.user == monitor.user && $0.action == monitor.action }
        guard ofClient.count < Self.mostOfClient, ofUser < Self.mostOfUser else {
            throw MonitorError(
                code: .tooMany,
                message: "A client may have \(Self.mostOfClient) monitors of each action, and a user "
                    + "\(Self.mostOfUser).")
        }
    }

    public mutating func add(_ monitor: MonitorRegistration) { monitors.append(monitor) }

    public mutating func remove(_ identifier: String) { monitors.removeAll { $0.identifier == identifier } }
}

/// When a monitor may act again. Each failure in a row doubles the pause; a success resets it.
public struct MonitorBackOff: Sendable, Hashable {
    /// After a success, so that a continuing sound does not start a client repeatedly.
    public static let pause = Duration.seconds(1)
    public static let shortest = Duration.seconds(5)
    public static let longest = Duration.seconds(600)

    public private(set) var failures = 0
    /// Of the last failure, as a sentence; `nil` after a success.
    public private(set) var reason: String?
    /// The last failure or success.
    private var last: Moment?

    public init() {}

    /// How long it still waits; `nil`: not at all.
    public func wait(at now: Moment) -> Duration? {
        guard let last else { return nil }
        let pause = failures == 0 ? Self.pause : min(Self.longest, Self.shortest * (1 << min(failures - 1, 10)))
        let rest = pause - .milliseconds(now.elapsed(since: last) ?? 0)
        return rest > .zero ? rest : nil
    }

    public mutating func succeeded(at now: Moment) { (failures, reason, last) = (0, nil, now) }

    public mutating func failed(_ reason: String, at now: Moment) {
        (failures, self.reason, last) = (failures + 1, reason, now)
    }
}
