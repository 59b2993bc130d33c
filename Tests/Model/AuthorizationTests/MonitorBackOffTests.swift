import Authorization
import Testing

@Suite("When a monitor may act again")
struct MonitorBackOffTests {
    private let now = ContinuousClock.now

    @Test("it may at once, as long as nothing happened")
    func fresh() {
        #expect(MonitorBackOff().wait(at: now) == nil)
    }

    @Test(
        "each failure in a row doubles the pause, up to an hour",
        arguments: [
            (1, 5), (2, 10), (3, 20), (4, 40), (5, 80), (9, 1_280), (10, 2_560), (11, 3_600), (12, 3_600), (500, 3_600),
        ])
    func failures(count: Int, seconds: Int) {
        var backOff = MonitorBackOff()
        for _ in 0..<count { backOff.failed(at: now) }
        #expect(backOff.failures == count)
        #expect(backOff.wait(at: now) == .seconds(seconds))
        #expect(backOff.wait(at: now + .seconds(seconds) - .milliseconds(1)) == .milliseconds(1))
        #expect(backOff.wait(at: now + .seconds(seconds)) == nil)
    }

    @Test("a success ends it, with a short pause of its own")
    func success() {
        var backOff = MonitorBackOff()
        for _ in 0..<7 { backOff.failed(at: now) }
        backOff.succeeded(at: now)
        #expect(backOff.failures == 0)
        #expect(backOff.wait(at: now) == MonitorBackOff.pause)
        backOff.failed(at: now)
        #expect(backOff.wait(at: now) == .seconds(5))
    }
}
