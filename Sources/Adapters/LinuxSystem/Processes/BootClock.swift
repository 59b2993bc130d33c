import Authorization
import Glibc

/// Reads the kernel's clock since boot with the boot's identifier, beside the wall's clock.
public struct BootClock: Sendable {
    private let boot: String

    /// - Parameter root: where proc is mounted.
    /// - Throws: `ProcessError` when the kernel tells no boot identifier: nothing could expire in order then.
    public init(root: String = "/proc") throws(ProcessError) {
        let path = root + "/sys/kernel/random/boot_id"
        guard let file = try? RegularFile(path: path, limit: 64), file.data.count >= 36 else {
            throw ProcessError(
                code: .unreadable, message: "\(path) cannot be read. Mount /proc, then start the service again.")
        }
        boot = String(decoding: file.data.prefix(36), as: UTF8.self)
    }

    public func now() -> Moment {
        var sinceBoot = timespec()
        var wall = timespec()
        // Neither call can fail for these clocks (clock_gettime(2)).
        clock_gettime(CLOCK_BOOTTIME, &sinceBoot)
        clock_gettime(CLOCK_REALTIME, &wall)
        return Moment(boot: boot, sinceBoot: Self.milliseconds(sinceBoot), wall: Self.milliseconds(wall))
    }

    private static func milliseconds(_ time: timespec) -> Int64 {
        Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}
