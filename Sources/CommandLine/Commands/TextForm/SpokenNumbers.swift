/// Writes the numbers among words as digits.
enum SpokenNumbers {
    struct Written: Hashable {
        let text: String
        /// Which of the words it stands for.
        let words: Range<Int>
    }

    static func written(_ words: [String]) -> [Written] {
        // "twenty-three" is two words here, and what ends with a mark ends a number.
        var parts: [(text: String, word: Int)] = []
        for (index, word) in words.enumerated() {
            let split = word.split(separator: "-").map { $0.lowercased() }
            let isNumber = split.count == 2 && NumberWords.tens[split[0]] != nil
            for part in isNumber ? split : [word.lowercased()] { parts.append((part, index)) }
        }
        let reader = NumberReader(words: parts.map { bare($0.text) })
        var result: [Written] = []
        var place = 0
        var isAfterNumber = false
        while place < parts.count {
            let first = parts[place].word
            if let (text, count) = number(reader.upToMark(parts.map(\.text), from: place), at: place, isAfterNumber) {
                let last = parts[place + count - 1].word
                let mark = parts[place + count - 1].text.dropFirst(bare(parts[place + count - 1].text).count)
                result.append(Written(text: text + mark, words: first..<(last + 1)))
                place += count
                isAfterNumber = mark.isEmpty
            } else {
                isAfterNumber = reader.isNumber(place)
                result.append(Written(text: words[first], words: first..<(first + 1)))
                while place < parts.count, parts[place].word == first { place += 1 }
            }
        }
        return result
    }

    /// - Parameter isAfterNumber: one stands directly before; "ten eleven twelve" is three of them and no year.
    private static func number(_ reader: NumberReader, at place: Int, _ isAfterNumber: Bool) -> (String, Int)? {
        if ["minus", "negative"].contains(reader.word(place)), !isAfterNumber {
            guard let (text, count) = positive(reader, at: place + 1, isAfterNumber: false, takesDigit: true) else {
                return nil
            }
            return ("-" + text, count + 1)
        }
        return positive(reader, at: place, isAfterNumber: isAfterNumber, takesDigit: false)
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

    /// Without the marks at its end.
    static func bare(_ word: String) -> String {
        var word = Substring(word)
        while let last = word.last, ",.;:!?".contains(last) { word.removeLast() }
        return String(word)
    }
}

extension NumberReader {
    /// The words as far as the first that a mark follows.
    func upToMark(_ marked: [String], from place: Int) -> NumberReader {
        guard let end = (place..<words.count).first(where: { words[$0] != marked[$0] }) else { return self }
        return NumberReader(words: Array(words[...end]))
    }
}
