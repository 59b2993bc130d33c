import Base
import Testing

@testable import Consent

struct ClockWatchTests {
    private static let start: Int64 = 1_790_000_000_000

    /// The clocks at one moment: of the boot, in milliseconds, and the wall's, in milliseconds since the last record. A jump
    /// is reported from where the wall's clock would be.
    struct Reading: Sendable {
        let boot: String
        let sinceBoot: Int64
        let wall: Int64
        let jumpFrom: Int64?

        init(_ sinceBoot: Int64, _ wall: Int64, jumpFrom: Int64? = nil, boot: String = "a") {
            (self.boot, self.sinceBoot, self.wall, self.jumpFrom) = (boot, sinceBoot, wall, jumpFrom)
        }
    }

    @Test(
        "a jump of the clock is reported once, with both times",
        arguments: [
            (
                "time that passes is not a jump, however much of it",
                [Reading(10, 0), Reading(10_000_010, 10_000_000), Reading(10_000_010, 10_000_000)]
            ),
            ("the wall's clock is corrected back a little", [Reading(0, 0), Reading(0, -1_000)]),
            ("the wall's clock is not corrected", [Reading(0, 0), Reading(0, 0)]),
            ("the wall's clock is corrected forward a little", [Reading(0, 0), Reading(0, 60_000)]),
            (
                "a clock is set back by more than a second",
                [Reading(0, 0), Reading(5_000, -1_001, jumpFrom: 5_000), Reading(6_000, -1)]
            ),
            (
                "a clock is ahead of the monotonic one by more than a minute",
                [Reading(0, 0), Reading(1_000, 61_001, jumpFrom: 1_000), Reading(2_000, 62_001)]
            ),
            (
                "a clock set back after a pause, to a time after the last record, is found by the monotonic clock",
                [
                    Reading(0, 0), Reading(3_600_000, 60_000, jumpFrom: 3_600_000), Reading(3_700_000, 100_000),
                    Reading(0, 100_001, boot: "b"),
                ]
            ),
            (
                "across a reboot only a clock set back can be distinguished from time that passed",
                [Reading(0, 0), Reading(0, 86_400_000, boot: "b"), Reading(0, 0, jumpFrom: 86_400_000, boot: "c")]
            ),
            (
                "the first record of a service is held against the last one of the log",
                [Reading(0, -2_000, jumpFrom: 0)]
            ),
        ] as [(String, [Reading])])
    func jumps(_ name: String, _ readings: [Reading]) {
        var watch = ClockWatch(last: Timestamp(milliseconds: Self.start))
        for reading in readings {
            let wall = Self.start + reading.wall
            let jump = watch.jump(at: Moment(boot: reading.boot, sinceBoot: reading.sinceBoot, wall: wall))
            let from = reading.jumpFrom.map { Timestamp(milliseconds: Self.start + $0) }
            #expect(jump?.from == from, "\(name): \(reading)")
            #expect(jump.map(\.to) == from.map { _ in Timestamp(milliseconds: wall) })
            #expect(jump?.milliseconds == reading.jumpFrom.map { reading.wall - $0 })
        }
    }

    @Test("the first record of a new log is held against none")
    func first() {
        var fresh = ClockWatch(last: nil)
        #expect(fresh.jump(at: Moment(boot: "a", sinceBoot: 0, wall: Self.start - 2_000)) == nil)
    }
}
