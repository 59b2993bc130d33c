import Foundation
import Speech
import TestSupport
import Testing

@Suite("Mixing channels")
struct ChannelMixTests {
    private static let rate = 16_000

    private func speech() throws -> [Float] {
        try SpeechClip.librivox()[0].samples().map { Float($0) / 32_768 }
    }

    /// In pieces, as a decoder gives them.
    private func mixed(_ count: Int, channels: Int, frame: (Int) -> [Float]) -> [Float] {
        var mix = ChannelMix(channels: channels, rate: Self.rate)
        var result: [Float] = []
        for start in stride(from: 0, to: count, by: 8_192) {
            let piece = (start..<min(start + 8_192, count)).flatMap(frame)
            piece.withUnsafeBufferPointer { result += mix.mix($0) }
        }
        return result
    }

    private func energy(_ samples: ArraySlice<Float>) -> Float { samples.reduce(0) { $0 + $1 * $1 } }

    /// 1: the same but for the loudness.
    private func likeness(_ one: ArraySlice<Float>, _ other: ArraySlice<Float>) -> Float {
        zip(one, other).reduce(0) { $0 + $1.0 * $1.1 } / (energy(one) * energy(other)).squareRoot()
    }

    @Test("never makes speech quieter than it is in its loudest channel")
    func loudness() throws {
        let speech = try speech()
        let frames: [[(Float) -> Float]] = [
            [{ $0 }, { $0 }], [{ $0 }, { -$0 }], [{ $0 }, { -0.8 * $0 }], [{ _ in 0 }, { $0 }],
            [{ _ in 0 }, { _ in 0 }, { _ in 0 }, { _ in 0 }, { _ in 0 }, { _ in 0 }, { _ in 0 }, { $0 }],
            [{ 0.1 * $0 }, { _ in .nan }, { $0 }, { _ in 0 }, { -$0 }, { _ in 0 }],
        ]
        for channels in frames {
            let result = mixed(speech.count, channels: channels.count) { index in channels.map { $0(speech[index]) } }
            #expect(result.count == speech.count)
            #expect(energy(result[...]) > 0.9 * energy(speech[...]))
            #expect(energy(result[...]) < 1.2 * energy(speech[...]))
            #expect(likeness(result[...], speech[...]) > 0.98)
        }
    }

    @Test("leaves out a tone, a hum and a hiss while another channel has speech")
    func steadySounds() throws {
        let speech = try speech()
        var generator = SeededGenerator(seed: 3)
        let hiss = speech.map { _ in Float.random(in: -0.1...0.1, using: &generator) }
        let sounds: [(Int) -> Float] = [{ 0.3 * sin(Float($0) * 0.17) }, { 0.3 * sin(Float($0) * 0.02) }, { hiss[$0] }]
        for sound in sounds {
            let result = mixed(speech.count, channels: 2) { [sound($0), speech[$0]] }
            // It takes a second to know the sound.
            #expect(likeness(result[24_000...], speech[24_000...]) > 0.98)
        }
    }

    @Test("keeps both voices of a call with one on each side")
    func call() throws {
        let speech = try speech()
        let other = Array(speech.reversed())
        let half = speech.count / 2
        let result = mixed(speech.count, channels: 2) { $0 < half ? [speech[$0], 0] : [0, other[$0]] }
        #expect(likeness(result[..<half], speech[..<half]) > 0.98)
        #expect(likeness(result[half...], other[half...]) > 0.98)
    }

    @Test("one channel stays as it is, and NaN and infinity are silence")
    func mono() {
        let samples: [Float] = [0.5, -0.25, .nan, 3, -.infinity]
        #expect(mixed(samples.count, channels: 1) { [samples[$0]] } == [0.5, -0.25, 0, 1, 0])
    }
}
