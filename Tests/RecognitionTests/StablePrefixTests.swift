import Recognition
import Testing

@Suite("The stable part of live text")
struct StablePrefixTests {
    @Test("words that hypotheses agree on become stable, the last one never")
    func agreement() {
        var prefix = StablePrefix(agreement: 3)
        #expect(prefix.take("go") == 0)
        #expect(prefix.take("go for") == 0)
        #expect(prefix.take("go forward") == 2)
        #expect(prefix.take("go forward ten") == 2)
        #expect(prefix.take("go forward ten meters") == 10)
    }

    @Test("what changes after all is not called stable any more")
    func change() {
        var prefix = StablePrefix(agreement: 2)
        #expect(prefix.take("the cat sat") == 0)
        #expect(prefix.take("the cat sat on") == 11)
        #expect(prefix.take("a cat sat on") == 0)
    }

    @Test("it counts bytes and never passes the text", arguments: ["", " ", "é", "naïve café crème", "a  b  c"])
    func bounds(text: String) {
        var prefix = StablePrefix(agreement: 1)
        for _ in 0..<4 {
            let stable = prefix.take(text)
            #expect(stable <= text.utf8.count)
            #expect(String(text.utf8.prefix(stable)) != nil)
        }
    }
}
