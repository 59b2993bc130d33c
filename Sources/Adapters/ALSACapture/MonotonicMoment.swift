import Glibc

/// A moment of CLOCK_MONOTONIC.
struct MonotonicMoment {
    let nanoseconds: Int64

    static func now() -> MonotonicMoment {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return MonotonicMoment(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    func nanoseconds(until later: MonotonicMoment) -> Int64 { later.nanoseconds - nanoseconds }
    func milliseconds(until later: MonotonicMoment) -> Int64 { nanoseconds(until: later) / 1_000_000 }
}
