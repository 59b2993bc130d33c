import Foundation

/// A point in time by two clocks: the kernel's clock since boot, which cannot be set, and the wall clock.
///
/// Within one boot the first counts, so that setting the wall clock changes nothing. Across a reboot only the wall clock is
/// left; if it went backwards, the elapsed time is unknown.
public struct Moment: Sendable, Hashable, Codable {
    /// The kernel's boot identifier (`/proc/sys/kernel/random/boot_id`).
    public let boot: String
    /// CLOCK_BOOTTIME, which counts suspended time, in milliseconds.
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

    /// The time since it is unknown.
    public static let unknown = Moment(boot: "", sinceBoot: 0, wall: 0)

    /// The wall time.
    public var date: Date { Date(timeIntervalSince1970: Double(wall) / 1000) }

    /// The same moment by the clock of the present boot; `nil` if the time since is unknown. A clock that is behind by up to
    /// `toleratedSetback` counts as no time.
    package func anchored(to now: Moment) -> Moment? {
        guard boot != now.boot else { return self }
        guard let elapsed = now.elapsed(since: self, tolerating: Self.toleratedSetback) else { return nil }
        return Moment(boot: now.boot, sinceBoot: now.sinceBoot - elapsed, wall: now.wall - elapsed)
    }

    /// Milliseconds. After a boot without a battery-backed clock, the wall clock continues from the last time that was saved,
    /// which can be hours before the power failed. Permissions survive that; what is kept of speech does not.
    package static let toleratedSetback: Int64 = 86_400_000

    /// Milliseconds since an earlier moment; `nil` if unknown, and what depends on it has then expired.
    ///
    /// - Parameter setback: how far, in milliseconds, the clock may be behind; that counts as no time.
    public func elapsed(since earlier: Moment, tolerating setback: Int64 = 0) -> Int64? {
        guard earlier != .unknown else { return nil }
        let elapsed = boot == earlier.boot ? sinceBoot - earlier.sinceBoot : wall - earlier.wall
        return elapsed >= -setback ? max(elapsed, 0) : nil
    }
}
