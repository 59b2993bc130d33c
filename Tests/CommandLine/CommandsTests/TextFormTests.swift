import Testing
@testable import Commands

@Suite("Spoken marks")
struct PunctuationTests {
    private func written(_ said: String) -> String {
        var former = TextFormer(punctuation: true)
        return former.utterance(said).text
    }

    @Test(
        "marks are written in place, and sentences begin with a capital letter",
        arguments: [
            ("hello comma world period how are you question mark", "Hello, world. How are you?"),
            ("stop exclamation mark", "Stop!"), ("one colon two semicolon three", "One: two; three"),
            ("dear sir new line i write new paragraph yours", "Dear sir\nI write\n\nYours"),
            ("he said open quote hello close quote to me", "He said \"hello\" to me"),
            ("this open parenthesis i think close parenthesis is it", "This (i think) is it"),
            ("well hyphen known dash they say", "Well-known – they say"),
            ("wait dot dot dot full stop", "Wait…."), ("and slash or", "And/or"),
            ("new line", "\n"), ("comma", ","), ("", ""), ("period period", ".."),
            ("open quote what question mark close quote", "\"What?\""),
        ])
    func marks(_ said: String, _ expected: String) { #expect(written(said) == expected) }

    @Test("after literal a name is a word, and part of a longer word is not a name")
    func words() {
        #expect(written("type literal comma here") == "Type comma here")
        #expect(written("a literal new line is") == "A new line is")
        #expect(written("a literal sense") == "A literal sense")
        #expect(written("commas and periods question marks") == "Commas and periods question marks")
        #expect(written("new lines of the question") == "New lines of the question")
    }

    @Test("an utterance continues the previous one")
    func utterances() {
        var former = TextFormer(punctuation: true)
        func next(_ said: String) -> FormedText { former.utterance(said) }
        #expect(next("go forward") == FormedText(separator: "", text: "Go forward"))
        #expect(next("ten meters") == FormedText(separator: " ", text: "ten meters"))
        #expect(next("comma then stop period") == FormedText(separator: "", text: ", then stop."))
        #expect(next("he said open quote") == FormedText(separator: " ", text: "He said \""))
        #expect(next("yes close quote new line") == FormedText(separator: "", text: "yes\"\n"))
        #expect(next("next") == FormedText(separator: "", text: "Next"))
    }

    @Test("without options only spaces change")
    func asSaid() {
        var former = TextFormer(punctuation: false)
        #expect(former.utterance("twenty comma  three") == FormedText(separator: "", text: "twenty comma three"))
        #expect(former.utterance("i see") == FormedText(separator: " ", text: "i see"))
    }

    @Test("each written word lists its spoken words")
    func sources() {
        var former = TextFormer(punctuation: true)
        let words = former.words(["twenty", "comma", "three", "new", "line", "full", "stop", "open", "quote", "ok"])
        #expect(
            words == [
                FormedWord(before: "", text: "Twenty,", source: 0..<2),
                FormedWord(before: " ", text: "three", source: 2..<3),
                FormedWord(before: "\n", text: ".", source: 5..<7),
                FormedWord(before: " ", text: "\"Ok", source: 7..<10),
            ])
    }
}
