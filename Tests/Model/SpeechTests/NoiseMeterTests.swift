import Foundation
import Speech
import TestSupport
import Testing

@Suite("The signal-to-noise ratio of speech")
struct NoiseMeterTests {
    private func level(_ samples: [Int16]) -> Double {
        (samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot()
    }

    @Test("mixtures of known ratio are estimated to 6 dB", arguments: [5.0, 10, 15, 20, 30])
    func known(decibels: Double) throws {
        for clip in try SpeechClip.librivox() {
            let clip = try clip.samples()
            let hiss = Noises.white(seconds: 10, level: level(clip) / pow(10, decibels / 20))
            let estimate = NoiseMeter.decibels(of: Noises.mixed(clip, Array(hiss.prefix(clip.count))))
            #expect(abs(estimate - decibels) < 6)
        }
    }

    @Test("the microphone's level does not matter")
    func gain() throws {
        let clip = try SpeechClip.librivox()[0].samples()
        let hiss = Noises.white(seconds: 10, level: level(clip) / 10)
        let mixed = Noises.mixed(clip, Array(hiss.prefix(clip.count)))
        let quiet = mixed.map { Int16((Double($0) / 8).rounded()) }
        #expect(abs(NoiseMeter.decibels(of: mixed) - NoiseMeter.decibels(of: quiet)) < 0.5)
    }

    @Test("digital zeros before the first sound hide no noise")
    func zeros() throws {
        let clip = try SpeechClip.librivox()[0].samples()
        let mixed = Noises.mixed(clip, Array(Noises.white(seconds: 10, level: level(clip) / 3).prefix(clip.count)))
        let after = NoiseMeter.decibels(of: [Int16](repeating: 0, count: 16_000) + mixed)
        #expect(abs(after - NoiseMeter.decibels(of: mixed)) < 1)
    }

    @Test("clean speech has a high ratio, other sounds a low one; without samples there is no noise")
    func ends() throws {
        for clip in try SpeechClip.librivox() { #expect(NoiseMeter.decibels(of: try clip.samples()) > 25) }
        #expect(NoiseMeter.decibels(of: Noises.white(seconds: 2, level: 500)) < 0)
        #expect(NoiseMeter.decibels(of: []) == 60)
        #expect(NoiseMeter.decibels(of: [1, 2, 3]) == 60)
    }
}

@Suite("When noise is suppressed")
struct NoiseSuppressionTests {
    @Test("not before the first utterance")
    func first() { #expect(!NoiseSuppression().isNeeded) }

    @Test("the last utterance decides, with hysteresis")
    func hysteresis() {
        var suppression = NoiseSuppression()
        for (decibels, isOn) in [(40.0, false), (25, false), (20, true), (26, true), (29, false), (26, false)] {
            suppression.learn(decibels)
            #expect(suppression.isNeeded == isOn)
        }
    }
}
