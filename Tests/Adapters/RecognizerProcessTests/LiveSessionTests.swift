import Foundation
import Speech
import TestSupport
import Testing

@testable import Authorization
@testable import RecognizerProcess

@Suite("Live sessions of real workers", .serialized)
struct LiveSessionTests {
    private static func silence(_ seconds: Double) -> [Int16] {
        // Not digital silence: a microphone has none.
        (0..<Int(seconds * 16_000)).map { Int16(truncatingIfNeeded: ($0 &* 7919) % 5 - 2) }
    }

    @Test("a breath does not end an utterance: both parts are in one final text with their times")
    func breath() async throws {
        let fixture = try PoolFixture()
        let clip = try SpeechClip.goForward.samples()
        // The clip begins and ends quietly: without its first 0.4 s the pause between the two is 0.7 s, and 0.8 s would end
        // the utterance.
        let again = clip.dropFirst(6_400)
        let heard = try await fixture.events(hearing: clip + again + Self.silence(1))
        let transcript = try #require(heard.finals.first)
        #expect(heard.finals.count == 1)
        #expect(transcript.text == SpeechClip.goForward.words + " " + SpeechClip.goForward.words)
        let second = transcript.words.filter { $0.word == "go" }
        let apart = Double(again.count) / 16_000
        #expect(second.count == 2 && abs(second[1].start - second[0].start - apart) < 0.1)
        for (word, next) in zip(transcript.words, transcript.words.dropFirst()) {
            #expect(word.start <= word.end && word.end <= next.start)
        }
        await fixture.pool.shutdown()
    }

    @Test("a stable word is in all later live text of its utterance")
    func stable() async throws {
        let fixture = try PoolFixture()
        let samples = try SpeechClip.librivox().prefix(2).flatMap { try $0.samples() + Self.silence(0.3) }
        var stable = ""
        var grown = 0
        for event in try await fixture.events(hearing: samples) {
            switch event {
            case .partial(let partial):
                #expect(partial.text == stable || partial.text.hasPrefix(stable + " ") || stable.isEmpty)
                let now = String(decoding: Array(partial.text.utf8).prefix(partial.stablePrefix), as: UTF8.self)
                if now.count > stable.count { grown += 1 }
                stable = now
            case .final: stable = ""
            default: break
            }
        }
        #expect(grown > 3)
        await fixture.pool.shutdown()
    }

    @Test("the words do not depend on the division of the audio")
    func pieces() async throws {
        let fixture = try PoolFixture()
        let clip = try SpeechClip.goForward.samples()
        let expected = try await fixture.events(hearing: clip).finals
        for length in [160, 331, 20_000] {
            #expect(try await fixture.events(hearing: clip, pieces: length).finals == expected, "pieces of \(length)")
        }
        #expect(expected.map(\.text) == [SpeechClip.goForward.words])
        await fixture.pool.shutdown()
    }

    @Test("the cepstral mean of speech is reported once, just before the end; for silence no mean is reported")
    func learnt() async throws {
        let fixture = try PoolFixture()
        let clip = try SpeechClip.goForward.samples()
        let heard = try await fixture.events(hearing: clip)
        let means = heard.compactMap { if case .learnt(let mean) = $0 { mean } else { nil } }
        let mean = try #require(means.first)
        #expect(means.count == 1 && heard.dropLast().last == .learnt(mean))
        #expect(mean.values.count == 13)
        #expect(mean.frames > 100 && mean.frames <= clip.count / 160 + 1)
        let silent = try await fixture.events(hearing: Self.silence(2))
        #expect(silent == [.finished(duration: 2)])
        await fixture.pool.shutdown()
    }

    @Test("a session begins with the given mean, and ignores one of another model")
    func given() async throws {
        let fixture = try PoolFixture()
        let clip = try SpeechClip.goForward.samples()
        let fresh = try await fixture.events(hearing: clip)
        let mean = try #require(fresh.compactMap { if case .learnt(let mean) = $0 { mean } else { nil } }.first)
        let again = try await fixture.events(RecognitionConfiguration(mean: mean), hearing: clip)
        #expect(again.text == SpeechClip.goForward.words)
        // It was used: the same words are not as sure as before.
        #expect(again.finals != fresh.finals)
        // And it is not told again as if it had been heard.
        #expect(again.contains(.learnt(mean)))
        let foreign = try #require(CepstralMean(values: [1, 2, 3], frames: 500))
        #expect(try await fixture.events(RecognitionConfiguration(mean: foreign), hearing: clip) == fresh)
        await fixture.pool.shutdown()
    }

    @Test("one session too many is refused at once, with what to do")
    func busy() async throws {
        let fixture = try PoolFixture(most: 1)
        let running = try await fixture.start()
        let error = await #expect(throws: RecognitionError.self) { _ = try await fixture.start() }
        #expect(error?.code == .busy && error?.message.contains("Try again") == true)
        await running.cancel()
        for await _ in running.events {}
        await fixture.pool.shutdown()
    }

    @Test("the default number of sessions depends on the processors")
    func processors() {
        let configuration = RecognizerPool.Configuration(executable: "")
        let processors = ProcessInfo.processInfo.activeProcessorCount
        #expect(configuration.mostSessions == processors * RecognizerPool.Configuration.sessionsOfProcessor)
    }
}
