/// Writes the numbers among words as digits.
enum SpokenNumbers {
    /// - Returns: each written word with the words that it replaces.
    static func written(_ words: [String]) -> [(text: String, words: Range<Int>)] {
        // "twenty-three" counts as two words; a mark ends a number.
        var parts: [(text: String, word: Int)] = []
        for (index, word) in words.enumerated() {
            let split = word.split(separator: "-").map { $0.lowercased() }
            let isNumber = split.count == 2 && NumberWords.tens[split[0]] != nil
            for part in isNumber ? split : [word.lowercased()] { parts.append((part, index)) }
        }
        let reader = NumberReader(words: parts.map { bare($0.text) })
        var result: [(String, Range<Int>)] = []
        var place = 0
        var isAfterNumber = false
        while place < parts.count {
            let first = parts[place].word
            if let (text, count) = number(reader.upToMark(parts.map(\.text), from: place), at: place, isAfterNumber) {
                let last = parts[place + count - 1].word
                let mark = parts[place + count - 1].text.dropFirst(bare(parts[place + count - 1].text).count)
                result.append((text + mark, first..<(last + 1)))
                place += count
                isAfterNumber = mark.isEmpty
            } else {
                isAfterNumber = reader.isNumber(place)
                result.append((words[first], first..<(first + 1)))
                while place < parts.count, parts[place].word == first { place += 1 }
            }
        }
        return result
    }

    /// - Parameter isAfterNumber: a number precedes; "ten eleven twelve" is three numbers, not a year.
    private static func number(_ reader: NumberReader, at place: Int, _ isAfterNumber: Bool) -> (String, Int)? {
        guard ["minus", "negative"].contains(reader.word(place)), !isAfterNumber else {
            return positive(reader, at: place, isAfterNumber: isAfterNumber, takesDigit: false)
        }
        return positive(reader, at: place + 1, isAfterNumber: false, takesDigit: true).map { ("-" + $0, $1 + 1) }
    }

    private static func positive(
        _ reader: NumberReader, at place: Int, isAfterNumber: Bool, takesDigit: Bool
    ) -> (String, Int)? {
        if let (text, count) = reader.spelled(place) { return (text, count) }
        if !isAfterNumber, let (value, count) = reader.year(place) { return (String(value), count) }
        if let (value, count) = reader.ordinal(place) { return ("\(value)\(NumberWords.ending(of: value))", count) }
        guard let cardinal = reader.cardinal(place) else { return nil }
        let end = place + cardinal.count
        if let (digits, count) = reader.decimals(end) { return ("\(cardinal.value).\(digits)", cardinal.count + count) }
        if let scale = cardinal.scale, let factor = NumberWords.scales[scale] {
            return ("\(cardinal.value / factor) \(scale)", cardinal.count)
        }
        guard takesDigit || cardinal.count > 1 || cardinal.value >= 10 else { return nil }
        return (String(cardinal.value), cardinal.count)
    }

    /// The word without trailing marks.
    static func bare(_ word: String) -> String {
        var word = Substring(word)
        while let last = word.last, ",.;:!?".contains(last) { word.removeLast() }
        return String(word)
    }
}

/// Reads English numbers from words. Ambiguous words are left unchanged.
struct NumberReader {
    /// In lower case.
    let words: [String]

    /// The words up to the first one with a mark.
    func upToMark(_ marked: [String], from place: Int) -> NumberReader {
        guard let end = (place..<words.count).first(where: { words[$0] != marked[$0] }) else { return self }
        return NumberReader(words: Array(words[...end]))
    }

    func word(_ place: Int) -> String { words.indices.contains(place) ? words[place] : "" }

    func digit(_ place: Int) -> Int? { NumberWords.digits[word(place)] }

    /// Whether the word is part of a number.
    func isNumber(_ place: Int) -> Bool { belowHundred(place) != nil || isMagnitude(place) }

    func isMagnitude(_ place: Int) -> Bool { word(place) == "hundred" || NumberWords.scales[word(place)] != nil }

    /// 0 to 99.
    func belowHundred(_ place: Int) -> (value: Int, count: Int)? {
        if let value = digit(place) ?? NumberWords.teens[word(place)] { return (value, 1) }
        guard let tens = NumberWords.tens[word(place)] else { return nil }
        if let unit = digit(place + 1), unit > 0 { return (tens + unit, 2) }
        return (tens, 1)
    }

    /// An addition to a hundred or a thousand: "five", "and five"; not the five of "and five hundred".
    private func rest(_ place: Int) -> (value: Int, count: Int)? {
        let skipped = word(place) == "and" ? 1 : 0
        guard let (value, count) = belowHundred(place + skipped), value > 0 else { return nil }
        let end = place + skipped + count
        if word(end) == "hundred" || skipped == 1 && isMagnitude(end) { return nil }
        // "one hundred and one two three" is a hundred and then spelled digits.
        if digit(place + skipped) == value, count == 1, digit(end) != nil { return nil }
        return (value, skipped + count)
    }

    private func belowThousand(_ place: Int) -> (value: Int, count: Int)? {
        let coefficient = word(place) == "a" ? (value: 1, count: 1) : belowHundred(place)
        guard let (factor, count) = coefficient else { return nil }
        guard word(place + count) == "hundred", factor > 0 else {
            return word(place) == "a" && NumberWords.scales[word(place + 1)] == nil ? nil : (factor, count)
        }
        let hundreds = (factor * 100, count + 1)
        guard let (value, length) = rest(place + hundreds.1) else { return hundreds }
        return (hundreds.0 + value, hundreds.1 + length)
    }

    /// - Returns: as `scale` the last word, if it is "million" or "billion" and the number is a multiple of it.
    func cardinal(_ start: Int) -> (value: Int, count: Int, scale: String?)? {
        var total = 0
        var place = start
        var last = Int.max
        var scale: String?
        while true {
            let isFirst = place == start
            guard let (value, count) = isFirst ? belowThousand(place) : rest(place) ?? hundreds(place) else { break }
            let end = place + count
            if let factor = NumberWords.scales[word(end)], factor < last, value > 0 {
                // Otherwise another number follows: "five million two million".
                total += value * factor
                last = factor
                place = end + 1
                scale = factor >= 1_000_000 && isFirst ? word(end) : nil
            } else if isFirst || NumberWords.scales[word(end)] == nil {
                scale = nil
                total += value
                place = end
                break
            } else {
                break
            }
        }
        guard place > start else { return nil }
        // "A hundred" alone is prose.
        if word(start) == "a", place - start <= 2 { return nil }
        return (total, place - start, scale)
    }

    /// After a scale only, and only if it starts a number itself.
    private func hundreds(_ place: Int) -> (value: Int, count: Int)? {
        guard word(place) != "a", let found = belowThousand(place),
            found.value >= 100 || NumberWords.scales[word(place + found.count)] != nil
        else { return nil }
        return found
    }

    /// The digits after "point": "one four", or "fourteen".
    func decimals(_ place: Int) -> (text: String, count: Int)? {
        guard word(place) == "point" else { return nil }
        var text = ""
        while let digit = word(place + 1 + text.count) == "oh" ? 0 : digit(place + 1 + text.count) {
            text += String(digit)
        }
        if !text.isEmpty { return (text, text.count + 1) }
        guard let (value, count) = belowHundred(place + 1) else { return nil }
        return (String(value), count + 1)
    }

    /// "nineteen eighty four", "nineteen oh five": 1100 to 2099, unless another number follows.
    func year(_ place: Int) -> (value: Int, count: Int)? {
        let century = NumberWords.teens[word(place)] ?? (word(place) == "twenty" ? 20 : 0)
        guard (11...20).contains(century) else { return nil }
        if word(place + 1) == "oh", let digit = digit(place + 2), !isNumber(place + 3) {
            return (century * 100 + digit, 3)
        }
        guard let (value, count) = belowHundred(place + 1), value >= 10 else { return nil }
        let end = place + 1 + count
        guard !isNumber(end), decimals(end) == nil, NumberWords.lowOrdinals[word(end)] == nil else { return nil }
        return (century * 100 + value, count + 1)
    }

    /// "twenty third", "one hundred and first", "tenth"; not the parts of "two thirds" and "one tenth".
    func ordinal(_ place: Int) -> (value: Int, count: Int)? {
        if let value = NumberWords.highOrdinals[word(place)] {
            return isNumber(place - 1) || word(place - 1) == "a" ? nil : (value, 1)
        }
        if let tens = NumberWords.tens[word(place)], let unit = NumberWords.lowOrdinals[word(place + 1)] {
            // "A twenty second delay", and "the twenty second of May".
            let before = word(place - 1)
            if unit == 2, before != "the", !NumberWords.months.contains(before) { return nil }
            return (tens + unit, 2)
        }
        guard let base = cardinal(place), base.value >= 100, base.value % 100 == 0 else { return nil }
        let end = place + base.count + (word(place + base.count) == "and" ? 1 : 0)
        if let value = NumberWords.highOrdinals[word(end)] { return (base.value + value, end + 1 - place) }
        if let value = NumberWords.lowOrdinals[word(end)], value != 2 { return (base.value + value, end + 1 - place) }
        if let tens = NumberWords.tens[word(end)], let unit = NumberWords.lowOrdinals[word(end + 1)] {
            return (base.value + tens + unit, end + 2 - place)
        }
        return nil
    }

    /// Digits spoken one by one, as of a telephone number; at least three.
    func spelled(_ place: Int) -> (text: String, count: Int)? {
        var text = ""
        var end = place
        while let digit = digit(end) ?? (end > place && word(end) == "oh" ? 0 : nil) {
            text += String(digit)
            end += 1
        }
        // The last digit can belong to the next number: "one two three hundred".
        if isMagnitude(end) || decimals(end) != nil { end -= 1 }
        let count = end - place
        return count >= 3 ? (String(text.prefix(count)), count) : nil
    }
}

enum NumberWords {
    static let digits = [
        "zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9,
    ]
    static let teens = [
        "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16,
        "seventeen": 17, "eighteen": 18, "nineteen": 19,
    ]
    static let tens = [
        "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
    ]
    static let scales = ["thousand": 1_000, "million": 1_000_000, "billion": 1_000_000_000]
    /// First to ninth.
    static let lowOrdinals = [
        "first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9,
    ]
    static let highOrdinals = [
        "tenth": 10, "eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15,
        "sixteenth": 16, "seventeenth": 17, "eighteenth": 18, "nineteenth": 19, "twentieth": 20, "thirtieth": 30,
        "fortieth": 40, "fiftieth": 50, "sixtieth": 60, "seventieth": 70, "eightieth": 80, "ninetieth": 90,
    ]
    static let months: Set<String> = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]

    /// `st`, `nd`, `rd` or `th`.
    static func ending(of ordinal: Int) -> String {
        if (11...13).contains(ordinal % 100) { return "th" }
        return switch ordinal % 10 {
        case 1: "st"
        case 2: "nd"
        case 3: "rd"
        default: "th"
        }
    }
}
