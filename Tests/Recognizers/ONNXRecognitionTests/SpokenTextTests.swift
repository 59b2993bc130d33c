import Testing

@testable import ONNXRecognition

@Suite("The bounds of a model's text")
struct SpokenTextTests {
    private static func words(_ text: String) -> [String] { SpokenText.words(in: text) }

    @Test("signs that are not spoken are not words")
    func signs() {
        #expect(Self.words("♪ Hello,  world… – ♪♪♪\u{7}!") == ["Hello,", "world…"])
        #expect(Self.words("♪♪♪ ...").isEmpty)
    }

    @Test("more than eight words a second cannot have been said")
    func rate() {
        let words = (0..<33).map { "word\($0)" }
        #expect(!SpokenText.isPossible(words, in: 4))
        #expect(SpokenText.isPossible(words, in: 5))
        #expect(SpokenText.cut(words, to: 4) == Array(words.prefix(32)))
    }

    @Test("a few quick words are possible in any time: the margins of a piece are not its speech")
    func few() {
        #expect(SpokenText.isPossible(["stop", "it", "now"], in: 0.2))
    }

    @Test("words that are fainter than other sounds need a voice of some length, and its rate")
    func faint() {
        #expect(SpokenText.isSaid(1, voice: 0.3, decibels: 20))
        #expect(!SpokenText.isSaid(4, voice: 0.3, decibels: 3))
        #expect(!SpokenText.isSaid(39, voice: 4.4, decibels: 3))
        #expect(SpokenText.isSaid(20, voice: 4.4, decibels: 3))
    }

    static let loops = [
        (text: "and then " + String(repeating: "the ", count: 40), left: "and then the"),
        (text: String(repeating: "I don't know, ", count: 6) + "he said", left: "I don't know, he said"),
        (
            text: "one " + String(repeating: "Of course. Of course, it is. ", count: 5),
            left: "one Of course. Of course, it is."
        ),
    ]

    @Test("a phrase that does not end is left once", arguments: loops)
    func loop(row: (text: String, left: String)) {
        #expect(!SpokenText.isPossible(Self.words(row.text), in: 30))
        #expect(SpokenText.cut(Self.words(row.text), to: 30).joined(separator: " ") == row.left)
    }

    @Test(
        "people repeat themselves, too",
        arguments: ["no no no no no no", "very very very good, very very very good indeed, I am told"])
    func people(text: String) {
        #expect(SpokenText.isPossible(Self.words(text), in: 5))
    }

    @Test("words are where the voice is, in order, and no word extends into a pause at its edge")
    func times() {
        // 10 windows of voice, 10 without, 10 with.
        let voices = (0..<30).map { !(10..<20).contains($0) }
        let words = WordTimes.placed(["ab", "cd", "ef", "gh"], in: voices, windowLength: 0.1)
        #expect(words.map(\.text) == ["ab", "cd", "ef", "gh"])
        let times = words.flatMap { [$0.start, $0.end] }.map { ($0 * 100).rounded() / 100 }
        #expect(times == [0, 0.5, 0.5, 1, 2, 2.5, 2.5, 3])
        #expect(WordTimes.placed([], in: voices, windowLength: 0.1).isEmpty)
    }

    @Test("speech without a pause is cut at its quietest place")
    func cut() {
        var samples = (0..<32_000).map { Float($0 % 7) / 7 }
        for index in 20_000..<21_000 { samples[index] = 0.01 }
        #expect((20_000..<21_000).contains(QuietPlace.index(in: samples[...], within: 16_000..<32_000)))
        #expect((16_000..<18_000).contains(QuietPlace.index(in: samples[...], within: 16_000..<18_000)))
    }
}
