import Foundation
import Testing

@testable import Speech

@Suite("Loudness")
struct LevelMeterTests {
    private func level(_ sample: (Int) -> Int16) -> [Double] {
        var meter = LevelMeter()
        return meter.levels(of: (0..<LevelMeter.window).map(sample))
    }

    @Test("silence is −96 dBFS")
    func silence() { #expect(level { _ in 0 } == [-96]) }

    @Test("a full-scale square wave is 0 dBFS")
    func square() throws {
        #expect(level { _ in .min } == [0])
        #expect(abs(try #require(level { $0 % 16 < 8 ? .max : -.max }.first)) < 0.001)
    }

    @Test("a full-scale sine is −3.01 dBFS")
    func sine() throws {
        let level = try #require(level { Int16((32_767 * sin(Double($0) * 2 * .pi / 16)).rounded()) }.first)
        #expect(abs(level + 3.01) < 0.005)
    }

    @Test("the smallest step is above silence")
    func smallest() throws { #expect(try #require(level { _ in 1 }.first) > LevelMeter.silence) }

    @Test("a tenth of a second gives one value, however the samples are divided")
    func windows() {
        var meter = LevelMeter()
        #expect(meter.levels(of: Array(repeating: .min, count: 1_599)).isEmpty)
        #expect(meter.levels(of: [.min, 0]) == [0])
        #expect(meter.levels(of: Array(repeating: 0, count: 3_199)) == [-96, -96])
        #expect(meter.levels(of: []).isEmpty)
    }
}
