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

    public func monitor(_ identifier: String) throws(MonitorError) -> MonitorRegistration {
        guard let found = monitors.first(where: { $0.identifier == identifier }) else {
            throw MonitorError(
                code: .unknown, message: "There is no such monitor. List them: voicegate monitor list")
        }
        return found
    }

    /// Checks the limits. Call before the registration is recorded.
    public func check(_ monitor: MonitorRegistration) throws(MonitorError) {
        let ofClient = monitors(of: MonitorOwner(monitor))
        guard !ofClient.contains(where: { $0.kind == monitor.kind && $0.action == monitor.action }) else {
            throw MonitorError(
                code: .alreadyRegistered, message: "\(monitor.client) has already registered this monitor.")
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

/// When a monitor may act again. Each failure in a row doubles the pause; a success resets it.
public struct MonitorBackOff: Sendable, Hashable {
    /// After a success, so that a continuing sound does not start a client repeatedly.
    public static let pause = Duration.seconds(1)
    public static let shortest = Duration.seconds(5)
    public static let longest = Duration.seconds(3_600)
    /// As many failures have the longest pause.
    static let mostDoublings = 10

    public private(set) var failures = 0
    /// The last failure or success.
    private var last: Moment?

    public init() {}

    /// As it was left by an earlier run of the service. After a reboot the wall clock counts; if that was set back, the pause
    /// begins again.
    public init?(_ found: MonitorFailures, at now: Moment) {
        guard let last = found.last else { return nil }
        failures = found.count
        self.last = last.anchored(to: now) ?? now
    }

    /// How long it still waits; `nil`: not at all.
    public func wait(at now: Moment) -> Duration? {
        guard let last else { return nil }
        let pause =
            failures == 0 ? Self.pause : min(Self.longest, Self.shortest * (1 << min(failures - 1, Self.mostDoublings)))
        let rest = pause - .milliseconds(now.elapsed(since: last) ?? 0)
        return rest > .zero ? rest : nil
    }

    public mutating func succeeded(at now: Moment) {
        failures = 0
        last = now
    }

    public mutating func failed(at now: Moment) {
        failures += 1
        last = now
    }
}

/// A monitor's failures in a row, counted from its records. Not each success is recorded: it follows from the next time that
/// the monitor listens, so that it is triggered or fails to.
public struct MonitorFailures: Sendable, Hashable {
    public enum Occurrence: Sendable, Hashable {
        case registered
        case triggered
        case failed(MonitorFailure)
        case exited(MonitorExit, at: Moment)
    }

    public private(set) var count = 0
    /// The time and reason of the last one.
    public private(set) var last: Moment?
    public private(set) var reason: String?
    /// Whether earlier records change nothing.
    public private(set) var isComplete = false
    /// Whether the next earlier trigger is known not to be followed by a success: of the last one nothing is known.
    private var isAnswered = true

    public init() {}

    /// - Parameter occurrence: newest first.
    public mutating func add(_ occurrence: Occurrence) {
        switch occurrence {
        case .registered: isComplete = true
        case .triggered:
            isComplete = isComplete || !isAnswered
            isAnswered = false
        case .failed(let failure):
            fail(failure.reason, failure.moment)
            isAnswered = !failure.isOfListening
        case .exited(let exit, let moment):
            if let reason = exit.failure {
                fail(reason, moment)
                isAnswered = true
            } else if case .status = exit {
                isComplete = true
            } else {
                isAnswered = true
            }
        }
    }

    private mutating func fail(_ reason: String, _ moment: Moment) {
        guard !isComplete else { return }
        count += 1
        if last == nil { (last, self.reason) = (moment, reason) }
        isComplete = count > MonitorBackOff.mostDoublings
    }
}
