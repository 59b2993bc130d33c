import Glibc

extension ProcessStatus {
    /// When it began by today's wall clock, nanoseconds since 1970, rounded down to the clock tick.
    var startedAt: Int64 {
        let ticks = UInt64(max(1, sysconf(Int32(_SC_CLK_TCK))))
        // Beyond a century nothing is a start time; it must not overflow either.
        let start =
            Int64(min(startTime / ticks, 3_000_000_000)) * 1_000_000_000
            + Int64(startTime % ticks) * (1_000_000_000 / Int64(ticks))
        return Self.now(CLOCK_REALTIME) - Self.now(CLOCK_BOOTTIME) + start
    }

    private static func now(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
