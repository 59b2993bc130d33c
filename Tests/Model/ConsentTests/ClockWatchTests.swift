import Base
import Testing

@testable import Consent

struct ClockWatchTests {
    private static let start: Int64 = 1_790_000_000_000

    private func moment(boot: String = "a", _ sinceBoot: Int64, _ wall: Int64) -> Moment {
        Moment(boot: boot, sinceBoot: sinceBoot, wall: Self.start + wall)
    }

    private func watch() -> ClockWatch { ClockWatch(last: Timestamp(milliseconds: Self.start)) }

    @Test("time that passes is not a jump, however much of it")
    func passes() {
        var watch = watch()
        #expect(watch.jump(at: moment(10, 0)) == nil)
        #expect(watch.jump(at: moment(10_000_010, 10_000_000)) == nil)
        #expect(watch.jump(at: moment(10_000_010, 10_000_000)) == nil)
    }

    @Test("a wall's clock that is corrected a little is not a jump", arguments: [-1_000, 0, 60_000] as [Int64])
    func tolerance(_ correction: Int64) {
        var watch = watch()
        #expect(watch.jump(at: moment(0, 0)) == nil)
        #expect(watch.jump(at: moment(0, correction)) == nil)
    }

    @Test("a clock set back by more than a second is reported once, with both times")
    func back() {
        var watch = watch()
        #expect(watch.jump(at: moment(0, 0)) == nil)
        let jump = watch.jump(at: moment(5_000, -1_001))
        #expect(jump?.from == Timestamp(milliseconds: Self.start + 5_000))
        #expect(jump?.to == Timestamp(milliseconds: Self.start - 1_001))
        #expect(jump?.milliseconds == -6_001)
        #expect(watch.jump(at: moment(6_000, -1)) == nil)
    }

    @Test("a clock ahead of the monotonic one by more than a minute is reported once")
    func forward() {
        var watch = watch()
        #expect(watch.jump(at: moment(0, 0)) == nil)
        #expect(watch.jump(at: moment(1_000, 61_001))?.milliseconds == 60_001)
        #expect(watch.jump(at: moment(2_000, 62_001)) == nil)
    }

    @Test("a clock set back after a pause, to a time after the last record, is found by the monotonic clock")
    func backInAPause() {
        var watch = watch()
        #expect(watch.jump(at: moment(0, 0)) == nil)
        let jump = watch.jump(at: moment(3_600_000, 60_000))
        #expect(jump?.from == Timestamp(milliseconds: Self.start + 3_600_000))
        #expect(jump?.milliseconds == -3_540_000)
        #expect(watch.jump(at: moment(3_700_000, 100_000)) == nil)
        #expect(watch.jump(at: moment(boot: "b", 0, 100_001)) == nil)
    }

    @Test("across a reboot only a clock set back can be distinguished from time that passed")
    func reboot() {
        var watch = watch()
        #expect(watch.jump(at: moment(0, 0)) == nil)
        #expect(watch.jump(at: moment(boot: "b", 0, 86_400_000)) == nil)
        #expect(watch.jump(at: moment(boot: "c", 0, 0))?.milliseconds == -86_400_000)
    }

    @Test("the first record of a service is held against the last one of the log, and that of a new log against none")
    func first() {
        var watch = watch()
        #expect(watch.jump(at: moment(0, -2_000))?.from == Timestamp(milliseconds: Self.start))
        var fresh = ClockWatch(last: nil)
        #expect(fresh.jump(at: moment(0, -2_000)) == nil)
    }
}
