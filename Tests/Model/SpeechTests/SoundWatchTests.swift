import Testing

@testable import Speech

@Suite("A microphone that gives no sound")
struct SoundWatchTests {
    private static let second = [Double](repeating: LevelMeter.silence, count: 10)

    @Test("five seconds of silence from the beginning are reported once, with the loudest level")
    func silent() {
        var watch = SoundWatch()
        for _ in 0..<4 { #expect(watch.silence(after: Self.second) == nil) }
        #expect(watch.silence(after: Array(Self.second.dropLast()) + [-80]) == -80)
        for _ in 0..<10 { #expect(watch.silence(after: Self.second) == nil) }
    }

    @Test("one that was heard once works, whatever comes afterwards")
    func heard() {
        var watch = SoundWatch()
        #expect(watch.silence(after: [-96, -60]) == nil)
        for _ in 0..<10 { #expect(watch.silence(after: Self.second) == nil) }
    }

    @Test("frames that are not heard do not count")
    func nothing() {
        var watch = SoundWatch()
        for _ in 0..<100 { #expect(watch.silence(after: []) == nil) }
    }
}
