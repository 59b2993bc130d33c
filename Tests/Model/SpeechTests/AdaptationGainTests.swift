import Speech
import Testing

@Suite("The gain of an adaptation")
struct AdaptationGainTests {
    private func gain(_ pairs: [(Int, Int)]) -> AdaptationGain {
        AdaptationGain(pairs.map { (words: 10, before: $0.0, after: $0.1) })
    }

    @Test("the sums and the sentences that became better or worse are counted")
    func counts() {
        let gain = gain([(3, 1), (2, 3), (0, 0), (5, 4)])
        #expect((gain.sentences, gain.words, gain.errorsBefore, gain.errorsAfter) == (4, 40, 10, 8))
        #expect((gain.better, gain.worse) == (2, 1))
        #expect(gain.rateBefore == 25 && gain.rateAfter == 20)
    }

    @Test("fewer errors and more better than worse sentences are a clear gain")
    func clear() { #expect(gain([(3, 1), (2, 1), (1, 2), (4, 4)]).isClear) }

    @Test(
        "no gain, one error less, one lucky sentence, or equally many better and worse sentences are no clear gain",
        arguments: [
            [(2, 2), (1, 1)], [(3, 2), (1, 1)], [(9, 2), (1, 2), (1, 2)], [(9, 2), (1, 2)], [(0, 0)],
            [(100, 99), (100, 99)],
        ])
    func unclear(_ pairs: [(Int, Int)]) { #expect(!gain(pairs).isClear) }
}
