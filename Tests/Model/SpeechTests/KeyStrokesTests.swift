import Foundation
import Speech
import TestSupport
import Testing

@Suite("Telling typing from speech")
struct KeyStrokesTests {
    private static let room = Noises.fan(seconds: 12, level: 8)

    private static func typing(level: Double, length: Double = 0.01) -> [Int16] {
        Noises.mixed(room, Noises.strokes(seconds: 12, level: level, length: length, gap: 0.08...0.3))
    }

    @Test("strokes are typing, soft and loud, short and long", arguments: [1_000.0, 16_000], [0.005, 0.01, 0.02])
    func typing(level: Double, length: Double) {
        #expect(KeyStrokes.isAll(of: Self.typing(level: level, length: length)))
    }

    @Test("what rings for a moment after a stroke is not a voice, wherever it is", arguments: 5...11)
    func ringing(seconds: Int) {
        let ring = (0..<3_200).map { index in
            Int16((1...4).reduce(0) { $0 + 1_500 * sin(2 * Double.pi * 180 * Double($1 * index) / 16_000) })
        }
        #expect(KeyStrokes.isAll(of: Self.typing(level: 4_000).prefix(16_000 * seconds) + ring))
    }

    @Test("speech is not, alone, in noise, or with typing before it")
    func speech() throws {
        for clip in try SpeechClip.librivox() {
            let clip = try clip.samples()
            #expect(!KeyStrokes.isAll(of: clip))
            #expect(!KeyStrokes.isAll(of: Noises.mixed(clip, Noises.white(seconds: 5, level: 500))))
            let typing = Self.typing(level: 4_000).prefix(80_000)
            #expect(!KeyStrokes.isAll(of: typing + clip))
        }
        #expect(!KeyStrokes.isAll(of: try HumanSpeech.samples(HumanSpeech.goForward)))
    }

    @Test("a whisper is not: noise as loud as the speech of a clip, moment by moment")
    func whisper() throws {
        for clip in try SpeechClip.librivox() {
            let noise = Noises.white(seconds: 12, level: 1)
            var envelope = 0.0
            let whisper = try zip(clip.samples(), noise).map { sample, noise in
                envelope += 0.003 * (abs(Double(sample)) - envelope)
                return Int16(clamping: Int(envelope * Double(noise)))
            }
            #expect(!KeyStrokes.isAll(of: whisper))
        }
    }

    @Test("silence and nothing are not")
    func nothing() {
        #expect(!KeyStrokes.isAll(of: []))
        #expect(!KeyStrokes.isAll(of: [Int16](repeating: 0, count: 16_000)))
    }
}
