import Foundation
import Speech
import TestSupport
import Testing

/// The beginning and end of utterances in real rooms. The noises are synthetic; the speech is human.
@Suite("Detecting speech and nothing else")
struct VoiceActivityTests {
    private static let room = Noises.fan(seconds: 12, level: 8)

    /// Each utterance, in samples.
    private func utterances(_ audio: [Int16], pause: Double = 0.8) -> [Range<Int>] {
        var cutter = UtteranceCutter(settings: Endpointer.Settings(pause: pause))
        var events: [UtteranceCutter.Event] = []
        for start in stride(from: 0, to: audio.count, by: 1_600) {
            events += cutter.take(audio[start..<min(start + 1_600, audio.count)], at: Int64(start))
        }
        events += cutter.finish()
        return events.compactMap { event in
            guard case .ended(let end, let samples) = event else { return nil }
            return Int(end) - samples.count..<Int(end)
        }
    }

    private func level(_ samples: [Int16]) -> Double {
        (samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
    }

    private func silence(_ seconds: Double) -> [Int16] { [Int16](repeating: 0, count: Int(seconds * 16_000)) }

    /// A noise under the whole of it, this many decibels below the speech.
    private func audio(_ clip: [Int16], in noise: [Int16], decibels: Double) -> [Int16] {
        let factor = level(clip) / level(noise) / pow(10, decibels / 20)
        return Noises.mixed(clip, noise.prefix(clip.count).map { Int16(Double($0) * factor) })
    }

    @Test(
        "a room, a hiss, a hum, a running fan, clicks, key strokes and a steady whistle begin no utterance",
        arguments: ["room", "hiss", "loud hiss", "hum", "fan", "clicks", "key strokes", "whistle"])
    func noSpeech(_ name: String) {
        let sound: [Int16] =
            switch name {
            case "hiss": Noises.white(seconds: 12, level: 300)
            case "loud hiss": Noises.white(seconds: 12, level: 5_000)
            case "hum": Noises.hum(seconds: 12, level: 2_000)
            case "fan": Noises.fan(seconds: 12, level: 2_000)
            case "clicks": Noises.strokes(seconds: 12, level: 12_000, length: 0.003, gap: 0.3...0.5)
            case "key strokes": Noises.strokes(seconds: 12, level: 4_000, length: 0.04, gap: 0.12...0.3)
            case "whistle": Noises.whistle(seconds: 12, level: 3_000)
            default: []
            }
        #expect(utterances(Noises.mixed(Self.room, sound)).isEmpty)
    }

    @Test("a fan that is switched on counts as speech for two seconds at most, and never again")
    func fanSwitchedOn() {
        let fan = silence(3) + Noises.fan(seconds: 9, level: 800)
        let found = utterances(Noises.mixed(Self.room, fan))
        #expect(found.count <= 1)
        #expect((found.first?.count ?? 0) <= 32_000)
    }

    @Test(
        "a sentence is one complete utterance at any input level and in noise",
        arguments: [(1.0, nil), (0.03, nil), (4.0, 20.0), (0.2, 10.0)] as [(Double, Double?)])
    func levels(gain: Double, decibels: Double?) throws {
        for clip in try SpeechClip.librivox() {
            var sound = silence(1.5) + (try clip.samples()) + silence(1.5)
            let speech = 24_000 + 4_000..<sound.count - 24_000 - 6_000
            if let decibels {
                sound = audio(sound, in: Noises.fan(seconds: 12, level: 1_000), decibels: decibels)
            }
            let found = utterances(
                Noises.mixed(
                    sound.map { Int16(clamping: Int((Double($0) * gain).rounded())) },
                    Noises.white(seconds: 12, level: 1)))
            #expect(found.count == 1)
            let utterance = try #require(found.first)
            #expect(utterance.lowerBound <= speech.lowerBound, "the first word is clipped")
            #expect(utterance.upperBound >= speech.upperBound, "the last word is clipped")
        }
    }

    @Test("speech from the first sample on and speech to the last sample lose nothing")
    func atOnce() throws {
        let clip = try SpeechClip.librivox()[0].samples()
        // The clip's first word begins at 0.2 s; then it goes on without a pause to 1.6 s.
        let found = utterances(Array(clip[3_200..<25_000]))
        #expect(found == [0..<21_760])
    }

    @Test("speech that continues after lost samples is detected from there")
    func afterGap() throws {
        let clip = try SpeechClip.librivox()[0].samples()
        var cutter = UtteranceCutter(settings: Endpointer.Settings())
        var events = cutter.take(clip[..<16_000], at: 0)
        events += cutter.take(clip[16_000...], at: 116_000)
        let begins: [Int64] = events.compactMap { if case .began(let at) = $0 { at } else { nil } }
        #expect(begins == [0, 116_000])
    }

    @Test("ten minutes of noise of changing strength are not speech")
    func tenMinutes() {
        var cutter = UtteranceCutter(settings: Endpointer.Settings())
        let hiss = Noises.white(seconds: 1, level: 1_000)
        var events: [UtteranceCutter.Event] = []
        for round in 0..<6_000 {
            // A fan speeds up and slows down over a minute.
            let factor = 0.6 + 0.3 * sin(Double(round) / 600 * 2 * Double.pi)
            let start = round % 10 * 1_600
            events += cutter.take(
                hiss[start..<start + 1_600].map { Int16(Double($0) * factor) }, at: Int64(round * 1_600))
        }
        events += cutter.finish()
        #expect(events.isEmpty)
    }

    @Test("typing after a sentence does not extend its utterance")
    func typingAfterSpeech() throws {
        let clip = try SpeechClip.librivox()[1].samples()
        let keys = Noises.strokes(seconds: 9, level: 4_000, length: 0.04, gap: 0.12...0.2)
        let found = utterances(Noises.mixed(Self.room, clip + silence(0.3) + keys))
        #expect(found.count == 1)
        #expect((found.first?.upperBound ?? .max) < clip.count + 32_000)
    }
}
