/// The wall's clock was set.
public struct ClockJump: Sendable, Hashable {
    /// What it would show had it not been set.
    public let from: Timestamp
    /// What it shows.
    public let to: Timestamp

    /// How far it was set; below zero: back.
    public var milliseconds: Int64 { to.milliseconds - from.milliseconds }

    public init(from: Timestamp, to: Timestamp) {
        self.from = from
        self.to = to
    }
}
