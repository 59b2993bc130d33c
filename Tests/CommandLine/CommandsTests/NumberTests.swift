@testable import Commands
import Testing

@Suite("Numbers that are said")
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
        "what is no number, or no sure one, stays as it was said",
        arguments: [
            "one of them", "no one knows", "two or three", "nine", "two thirds", "one tenth", "a tenth of it",
            "the first of all", "a second look", "a hundred", "a million", "thanks a million", "hundreds of people",
            "thousand", "at this point five people left", "oh what a day", "point", "five minus three",
            "minus the rest",
            "four two", "one and one", "",
        ])
    func left(_ said: String) { #expect(written(said) == said) }

    @Test(
        "years, from 1100 to 2099 and where no other number follows",
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
        "numbers beside each other stay apart",
        arguments: [
            ("between one hundred and two hundred", "between 100 and 200"),
            ("between one hundred and two thousand", "between 100 and 2000"),
            ("twenty and thirty", "20 and 30"), ("twenty thirty forty", "20 30 40"),
            ("one thousand and two hundred", "1000 and 200"),
        ])
    func beside(_ said: String, _ expected: String) { #expect(written(said) == expected) }

    @Test("engines of other kinds write marks and capitals; both end or begin a number as they stand")
    func marked() {
        #expect(written("Twenty three, four.") == "23, four.")
        #expect(written("One hundred, and five") == "100, and five")
        #expect(written("It was Nineteen Eighty four.") == "It was 1984.")
    }

    @Test("every number up to 9999 that is said is written as itself")
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
