import Base

/// Detects from the times of the records whether the wall clock was set in between.
///
/// It shows more than a second less than the record before, or, while the service runs, it differs from the monotonic clock by
/// more than a minute. Across a start, a jump forward cannot be distinguished from time that passed, nor one back to a time
/// after the last record.
public struct ClockWatch: Sendable {
    static let backwardTolerance: Int64 = 1_000
    static let driftTolerance: Int64 = 60_000

    private var last: Moment?
    private var lastWall: Int64?

    /// - Parameter last: the time of the log's last record; `nil` for a log without one.
    public init(last: Timestamp?) { lastWall = last?.milliseconds }

    /// Call it before each record, with the time that it will have.
    ///
    /// - Returns: the jump to record before it.
    public mutating func jump(at moment: Moment) -> ClockJump? {
        defer {
            last = moment
            lastWall = moment.wall
        }
        guard let lastWall else { return nil }
        let now = Timestamp(milliseconds: moment.wall)
        let expected = expectedWall(at: moment)
        if moment.wall < lastWall - Self.backwardTolerance {
            return ClockJump(from: Timestamp(milliseconds: max(expected ?? lastWall, lastWall)), to: now)
        }
        if let expected, abs(moment.wall - expected) > Self.driftTolerance {
            return ClockJump(from: Timestamp(milliseconds: expected), to: now)
        }
        return nil
    }

    /// What the wall's clock would show by the clock of the boot; `nil` over a reboot.
    private func expectedWall(at moment: Moment) -> Int64? {
        guard let last, last.boot == moment.boot, moment.sinceBoot >= last.sinceBoot else { return nil }
        return last.wall + (moment.sinceBoot - last.sinceBoot)
    }
}

/// The wall clock was set.
public struct ClockJump: Sendable, Hashable {
    /// What it would show had it not been set.
    public let from: Timestamp
    /// What it shows.
    public let to: Timestamp

    /// How far it was set; below zero: back.
    public var milliseconds: Int64 { to.milliseconds - from.milliseconds }
}
