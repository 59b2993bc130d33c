/// When a monitor may act again. Each failure in a row doubles the pause; a client that works ends it.
public struct MonitorBackOff: Sendable, Hashable {
    /// After something that went well, so that a sound that goes on does not start a client again and again.
    public static let pause = Duration.seconds(1)
    public static let shortest = Duration.seconds(5)
    public static let longest = Duration.seconds(3_600)

    public private(set) var failures = 0
    private var notBefore: ContinuousClock.Instant?

    public init() {}

    /// How long it still waits at that moment; `nil`: not at all.
    public func wait(at now: ContinuousClock.Instant) -> Duration? {
        guard let notBefore, notBefore > now else { return nil }
        return now.duration(to: notBefore)
    }

    public mutating func succeeded(at now: ContinuousClock.Instant) {
        failures = 0
        notBefore = now + Self.pause
    }

    public mutating func failed(at now: ContinuousClock.Instant) {
        failures += 1
        // Ten doublings are beyond the longest pause.
        notBefore = now + min(Self.longest, Self.shortest * (1 << min(failures - 1, 10)))
    }
}
