import Speech
import TestSupport
import Testing

@Suite("The stable part of live text")
struct StablePrefixTests {
    @Test("words that hypotheses agree on become stable, the last one never")
    func agreement() {
        var prefix = StablePrefix(agreement: 3)
        let hypotheses = ["go", "go for", "go forward", "go forward ten", "go forward ten meters"]
        #expect(hypotheses.map { prefix.take($0).stablePrefix } == [0, 0, 2, 2, 10])
    }

    @Test("without agreement, words are stable only where the speaker paused, and the last one, too")
    func settling() {
        var prefix = StablePrefix(agreement: nil)
        for _ in 0..<5 { #expect(prefix.take("go for").stablePrefix == 0) }
        #expect(prefix.settle("go forward") == PartialTranscript(text: "go forward", stablePrefix: 10))
        #expect(prefix.take("no forward ten") == PartialTranscript(text: "go forward ten", stablePrefix: 10))
        #expect(prefix.settle("go forward ten meters").stablePrefix == 21)
    }

    /// After “the cat sat” became stable.
    @Test(
        "a stable word stays when a later hypothesis differs, and the rest follows it",
        arguments: [
            ("the cat sat down on it", "the cat sat down on it"), ("a cat sat down", "the cat sat down"),
            ("cat sat down", "the cat sat down"), ("and the cat sat down", "the cat sat down"),
            ("the cats at down", "the cat sat down"), ("the cat", "the cat sat"), ("", "the cat sat"),
            ("who", "the cat sat"),
        ])
    func change(_ hypothesis: String, _ text: String) {
        var prefix = StablePrefix(agreement: 2)
        _ = prefix.take("the cat sat on")
        #expect(prefix.take("the cat sat on").stablePrefix == 11)
        let partial = prefix.take(hypothesis)
        #expect(partial.text == text)
        #expect(partial.stablePrefix >= 11)
    }

    @Test("no hypothesis changes a stable word", arguments: 1...4)
    func neverTakenBack(agreement: Int) {
        for seed in 0..<200 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var prefix = StablePrefix(agreement: agreement)
            var hypothesis: [String] = []
            var stable = ""
            for _ in 0..<40 {
                // It grows, as speech does, and changes its mind anywhere.
                if Int.random(in: 0..<3, using: &random) > 0 { hypothesis.append(Self.word(&random)) }
                if Int.random(in: 0..<4, using: &random) == 0,
                    let place = hypothesis.indices.randomElement(using: &random)
                {
                    switch Int.random(in: 0..<3, using: &random) {
                    case 0: hypothesis[place] = Self.word(&random)
                    case 1: hypothesis.remove(at: place)
                    default: hypothesis.insert(Self.word(&random), at: place)
                    }
                }
                let partial = prefix.take(hypothesis.joined(separator: " "))
                let now = String(decoding: Array(partial.text.utf8).prefix(partial.stablePrefix), as: UTF8.self)
                let kept = partial.text == stable || stable.isEmpty || partial.text.hasPrefix(stable + " ")
                #expect(
                    kept && now.utf8.count >= stable.utf8.count, "seed \(seed): “\(stable)”, then “\(partial.text)”")
                #expect(now.isEmpty || now == partial.text || partial.text.hasPrefix(now + " "), "seed \(seed)")
                stable = now
            }
        }
    }

    @Test("growing hypotheses are shown unchanged", arguments: 1...4)
    func growing(agreement: Int) {
        var prefix = StablePrefix(agreement: agreement)
        let words = (0..<30).map { "w\($0 % 7)" }
        for count in words.indices {
            let text = words[...count].joined(separator: " ")
            let partial = prefix.take(text)
            #expect(partial.text == text)
            #expect(
                partial.stablePrefix
                    == words[..<max(0, min(count, count + 2 - agreement))].joined(separator: " ").utf8.count)
        }
    }

    @Test(
        "the stable prefix is in bytes and never exceeds the text",
        arguments: ["", " ", "é", "naïve café crème", "a  b  c"])
    func bounds(text: String) {
        var prefix = StablePrefix(agreement: 1)
        for _ in 0..<4 {
            let partial = prefix.take(text)
            #expect(partial.stablePrefix <= partial.text.utf8.count)
            #expect(String(partial.text.utf8.prefix(partial.stablePrefix)) != nil)
        }
    }

    /// Of few, so that they repeat.
    private static func word(_ random: inout SeededGenerator) -> String {
        ["a", "b", "é"][Int.random(in: 0..<3, using: &random)]
    }
}
