import Foundation

/// A point in time by two clocks: the one that counts from the boot and cannot be set, and the wall's.
///
/// Within one boot the first decides, so that setting the clock changes nothing. Over a reboot only the wall's clock is
/// left; when that went backwards, nobody can tell how long ago the earlier moment was.
public struct Moment: Sendable, Hashable, Codable {
    /// The kernel's boot identifier (`/proc/sys/kernel/random/boot_id`).
    public let boot: String
    /// CLOCK_BOOTTIME (it counts suspended time), milliseconds.
    public let sinceBoot: Int64
    /// Milliseconds since 1970.
    public let wall: Int64

    public init(boot: String, sinceBoot: Int64, wall: Int64) {
        self.boot = boot
        self.sinceBoot = sinceBoot
        self.wall = wall
    }

    /// A moment by a clock that shows only the wall time: a clock set forward looks like time that passed.
    public init(wallAlone date: Date) {
        let wall = Int64((date.timeIntervalSince1970 * 1000).rounded())
        self.init(boot: "", sinceBoot: wall, wall: wall)
    }

    /// The wall time.
    public var date: Date { Date(timeIntervalSince1970: Double(wall) / 1000) }

    /// Of a decision that an earlier version stored; the time since it cannot be told.
    public static let unknown = Moment(boot: "", sinceBoot: 0, wall: 0)

    /// The same moment by the clock of the present boot; itself when the time since cannot be told.
    func anchored(to now: Moment) -> Moment {
        guard boot != now.boot, let elapsed = now.elapsed(since: self) else { return self }
        return Moment(boot: now.boot, sinceBoot: now.sinceBoot - elapsed, wall: now.wall - elapsed)
    }

    /// Milliseconds since an earlier moment, or `nil` when they cannot be told: what depends on it has then expired.
    public func elapsed(since earlier: Moment) -> Int64? {
        guard earlier != .unknown else { return nil }
        let elapsed = boot == earlier.boot ? sinceBoot - earlier.sinceBoot : wall - earlier.wall
        return elapsed >= 0 ? elapsed : nil
    }
}
