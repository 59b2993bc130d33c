import Foundation
import Speech
import TestSupport
import Testing

@testable import RecognizerProcess

@Suite("Recognition in noisy rooms", .serialized)
struct NoisyRoomTests {
    private func events(_ samples: [Int16], _ input: RecognitionConfiguration.Input = .live) async throws
        -> [RecognitionEvent]
    {
        let fixture = try PoolFixture()
        let file = [UInt8](HumanSpeech.wav(samples, sampleRate: 16_000, channels: 1))
        let events = try await input == .live ? fixture.events(hearing: samples) : fixture.events(reading: file)
        await fixture.pool.shutdown()
        #expect(events.failure == nil)
        return events
    }

    private func noisy(decibels: Double) throws -> [Int16] {
        let clip = try SpeechClip.goForward.samples()
        // Its words go from 0.46 s to 2.12 s.
        let spoken = clip[7_360..<33_920]
        let level = (spoken.reduce(0) { $0 + Double($1) * Double($1) } / Double(spoken.count)).squareRoot()
        let silence = [Int16](repeating: 0, count: 16_000)
        return Noises.mixed(silence + clip + silence, Noises.white(seconds: 4.7, level: level / pow(10, decibels / 20)))
    }

    @Test(
        "text of speech that drowns in noise is kept and marked with its distance from the noise",
        arguments: [RecognitionConfiguration.Input.live, .file])
    func drowned(_ input: RecognitionConfiguration.Input) async throws {
        let events = try await events(try noisy(decibels: 4), input)
        let transcript = try #require(events.finals.first { !$0.text.isEmpty })
        #expect(abs(try #require(transcript.noisyDecibels) - 4) < 5)
        #expect(!transcript.words.isEmpty)
    }

    @Test("text of clean speech and of speech well above the noise is not marked")
    func clear() async throws {
        for samples in [try SpeechClip.goForward.samples(), try noisy(decibels: 22)] {
            let events = try await events(samples)
            #expect(events.finals.allSatisfy { $0.noisyDecibels == nil })
            #expect(!events.text.isEmpty)
        }
    }

    @Test("a fan, a hum and clicks have no words")
    func noWords() async throws {
        let machine = Noises.mixed(Noises.fan(seconds: 4, level: 800), Noises.hum(seconds: 4, level: 2_000))
        let clicks = Noises.strokes(seconds: 4, level: 12_000, length: 0.003, gap: 0.3...0.5)
        let all = try await events(Noises.mixed(machine, clicks))
        #expect(all == [.finished(duration: 4)])
    }
}
