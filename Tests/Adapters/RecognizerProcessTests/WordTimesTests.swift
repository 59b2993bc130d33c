import Speech
import TestSupport
import Testing

@testable import RecognizerProcess

@Suite("Times of words", .serialized)
struct WordTimesTests {
    /// Seconds within “go forward ten meters”, by a forced alignment (Benchmarks/word_alignment.c).
    private static let said = [(0.46, 0.64), (0.64, 1.17), (1.17, 1.53), (1.53, 2.12)]

    @Test("words are where a forced alignment puts them: in the first utterance, in a later one, and after lost frames")
    func times() async throws {
        let clip = try SpeechClip.goForward.samples()
        let silence = [Int16](repeating: 0, count: 16_000)
        let fixture = try PoolFixture()
        let session = try await fixture.start()
        async let heard = session.rest()
        let twice = silence + clip + silence + clip
        await session.hear(twice)
        let lost = 12_345
        await session.hear(silence + clip, at: Int64(twice.count + lost))
        await session.finish()
        let finals = await heard.finals.filter { !$0.text.isEmpty }
        await fixture.pool.shutdown()
        let starts = [16_000, 32_000 + clip.count, twice.count + lost + 16_000].map { Double($0) / 16_000 }
        #expect(finals.map(\.text) == Array(repeating: SpeechClip.goForward.words, count: 3))
        for (transcript, start) in zip(finals, starts) {
            for (word, (from, to)) in zip(transcript.words, Self.said) {
                #expect(abs(word.start - start - from) <= 0.0501, "\(word.word)")
                #expect(abs(word.end - start - to) <= 0.0501, "\(word.word)")
            }
        }
    }
}
