import Testing
@testable import Commands

@Suite("Spoken marks")
struct PunctuationTests {
    private func written(_ said: String) -> String {
        var former = TextFormer(TextForm(punctuation: true, numbers: false))
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
        var former = TextFormer(TextForm(punctuation: true, numbers: true))
        func next(_ said: String) -> FormedText { former.utterance(said) }
        #expect(next("go forward") == FormedText(separator: "", text: "Go forward"))
        #expect(next("ten meters") == FormedText(separator: " ", text: "10 meters"))
        #expect(next("comma then stop period") == FormedText(separator: "", text: ", then stop."))
        #expect(next("he said open quote") == FormedText(separator: " ", text: "He said \""))
        #expect(next("yes close quote new line") == FormedText(separator: "", text: "yes\"\n"))
        #expect(next("next") == FormedText(separator: "", text: "Next"))
    }

    @Test("without options only spaces change")
    func asSaid() {
        var former = TextFormer(.asSaid)
        #expect(former.utterance("twenty comma  three") == FormedText(separator: "", text: "twenty comma three"))
        #expect(former.utterance("i see") == FormedText(separator: " ", text: "i see"))
    }

    @Test("a mark ends a number, and each written word lists its spoken words")
    func sources() {
        var former = TextFormer(TextForm(punctuation: true, numbers: true))
        let words = former.words(
            [
                "twenty", "comma", "three", "hundred", "and", "five", "new", "line", "full", "stop", "open", "quote",
                "ok",
            ])
        #expect(
            words == [
                FormedWord(before: "", text: "20,", source: 0..<2),
                FormedWord(before: " ", text: "305", source: 2..<6),
                FormedWord(before: "\n", text: ".", source: 8..<10),
                FormedWord(before: " ", text: "\"Ok", source: 10..<13),
            ])
    }
}

@Suite("Spoken numbers")
struct NumberTests {
    private func written(_ said: String) -> String {
        var former = TextFormer(TextForm(punctuation: false, numbers: true))
        return former.utterance(said).text
    }

    @Test(
        "cardinal numbers",
        arguments: [
            ("twenty three", "23"), ("twenty-three", "23"), ("ten", "10"), ("nineteen", "19"), ("ninety nine", "99"),
            ("one hundred", "100"), ("one hundred five", "105"), ("one hundred and five", "105"),
            ("three hundred and forty two", "342"), ("two thousand", "2000"), ("two thousand and five", "2005"),
            ("two thousand five hundred", "2500"), ("twelve thousand three hundred and one", "12301"),
            ("two hundred five thousand", "205000"), ("nineteen hundred", "1900"), ("twenty three hundred", "2300"),
            ("a hundred and five", "105"), ("a thousand and one", "1001"), ("two million", "2 million"),
            ("two million five thousand", "2005000"), ("three billion", "3 billion"),
            ("nine hundred ninety nine thousand nine hundred ninety nine", "999999"),
        ])
    func cardinals(_ said: String, _ expected: String) {
        #expect(written(said) == expected)
        #expect(written("about \(said) miles") == "about \(expected) miles")
    }

    @Test(
        "words that are not clearly a number are unchanged",
        arguments: [
            "one of them", "no one knows", "two or three", "nine", "two thirds", "one tenth", "a tenth of it",
            "the first of all", "a second look", "a hundred", "a million", "thanks a million", "hundreds of people",
            "thousand", "at this point five people left", "oh what a day", "point", "five minus three",
            "minus the rest",
            "four two", "one and one", "",
        ])
    func left(_ said: String) { #expect(written(said) == said) }

    @Test(
        "years from 1100 to 2099, unless another number follows",
        arguments: [
            ("nineteen eighty four", "1984"), ("twenty twenty six", "2026"), ("nineteen oh five", "1905"),
            ("eighteen twelve", "1812"), ("in sixteen sixty six it burnt", "in 1666 it burnt"),
            ("twenty ten", "2010"), ("eleven twelve thirteen", "11 12 13"), ("ten eleven twelve", "10 11 12"),
            ("ninety nine fifty", "99 50"), ("twenty five", "25"), ("nineteen eighty four thousand", "19 84000"),
        ])
    func years(_ said: String, _ expected: String) { #expect(written(said) == expected) }

    @Test(
        "decimals, with digits one by one or together",
        arguments: [
            ("three point one four", "3.14"), ("zero point five", "0.5"), ("twenty three point oh five", "23.05"),
            ("three point fourteen", "3.14"), ("two point five million", "2.5 million"),
            ("one hundred point two", "100.2"), ("minus three point five", "-3.5"), ("minus five", "-5"),
        ])
    func decimals(_ said: String, _ expected: String) { #expect(written(said) == expected) }

    @Test(
        "ordinals from the tenth on",
        arguments: [
            ("tenth", "10th"), ("the twenty first", "the 21st"), ("the twenty second of may", "the 22nd of may"),
            ("may twenty second", "may 22nd"), ("a twenty second delay", "a 20 second delay"),
            ("twenty third", "23rd"), ("the eleventh hour", "the 11th hour"), ("one hundred and first", "101st"),
            ("the one hundred twelfth", "the 112th"), ("thirtieth", "30th"),
        ])
    func ordinals(_ said: String, _ expected: String) { #expect(written(said) == expected) }

    @Test(
        "three and more single digits are spelled",
        arguments: [
            ("five five five one two", "55512"), ("zero oh seven", "007"), ("room one oh one", "room 101"),
            ("one two three hundred", "one two 300"),
        ])
    func spelled(_ said: String, _ expected: String) { #expect(written(said) == expected) }

    @Test(
        "adjacent numbers stay separate",
        arguments: [
            ("between one hundred and two hundred", "between 100 and 200"),
            ("between one hundred and two thousand", "between 100 and 2000"),
            ("twenty and thirty", "20 and 30"), ("twenty thirty forty", "20 30 40"),
            ("one thousand and two hundred", "1000 and 200"),
        ])
    func beside(_ said: String, _ expected: String) { #expect(written(said) == expected) }

    @Test("marks and capitals of outside engines limit numbers and are kept")
    func marked() {
        #expect(written("Twenty three, four.") == "23, four.")
        #expect(written("One hundred, and five") == "100, and five")
        #expect(written("It was Nineteen Eighty four.") == "It was 1984.")
    }

    @Test("every spoken number up to 9999 is written correctly")
    func all() {
        let units = [
            "", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
            "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
        ]
        let tens = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
        func spoken(_ value: Int) -> [String] {
            if value < 20 { return value == 0 ? [] : [units[value]] }
            if value < 100 { return [tens[value / 10]] + spoken(value % 10) }
            if value < 1000 { return [units[value / 100], "hundred"] + spoken(value % 100) }
            return spoken(value / 1000) + ["thousand"] + spoken(value % 1000)
        }
        for value in 10..<10_000 {
            let said = spoken(value).joined(separator: " ")
            #expect(written(said) == String(value), "\(said)")
        }
    }
}
