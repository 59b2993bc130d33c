import CPocketSphinx
import Foundation
import Speech

/// The library's notation of words.
enum Vocabulary {
    /// The word without the mark of its pronunciation (`read(2)`), or `nil` for an entry that is not a word: `<s>`, `<sil>`, `[NOISE]`,
    /// `++COUGH++`.
    static func word(_ entry: some StringProtocol) -> String? {
        guard let first = entry.first, !"<[".contains(first), !entry.hasPrefix("++") else { return nil }
        guard entry.hasSuffix(")"), let open = entry.lastIndex(of: "("), open > entry.startIndex else {
            return String(entry)
        }
        let number = entry[entry.index(after: open)...].dropLast()
        guard !number.isEmpty, number.allSatisfy({ $0.isASCII && $0.isNumber }) else { return String(entry) }
        return String(entry[..<open])
    }

    static func text(of entries: [some StringProtocol]) -> String {
        entries.compactMap { word($0) }.joined(separator: " ")
    }
}

/// The pronunciations and the language model of the user's words.
struct WordLesson: Sendable {
    struct Pronunciation: Sendable, Hashable {
        let word: String
        let phones: String
    }

    /// How much of the probability comes from the user's words. Measured: Benchmarks/README.md.
    static let share = 0.35
    /// A phrase that is likely to be said counts like a sentence that was written this many times.
    static let phraseWeight = 4
    /// The most words that are added to the dictionary; beyond that, the rarer ones stay unknown.
    static let mostNewWords = 3_000

    let pronunciations: [Pronunciation]
    let model: WordModel
    /// How many words have no pronunciation.
    let unsayable: Int

    /// - Parameter known: as of `Pronouncer`.
    init(_ words: UserWords, known: @escaping (String) -> String?) {
        let phrases = words.contextPhrases.map(WrittenSentences.init)
        let text = WrittenSentences(words.text)
        let sentences =
            phrases.flatMap { $0.sentences.map { (words: $0, weight: Self.phraseWeight) } }
            + text.sentences.map { (words: $0, weight: 1) }
        var counts: [String: Int] = [:]
        for (sentence, weight) in sentences { for word in sentence { counts[word, default: 0] += weight } }
        let new = counts.filter { known($0.key) == nil }.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let capitals = phrases.reduce(text.capitals) { $0.union($1.capitals) }
        let pronouncer = Pronouncer(known: known)
        var pronunciations: [Pronunciation] = []
        var unsaid: Set<String> = []
        for (index, entry) in new.enumerated() {
            let found =
                index < Self.mostNewWords
                ? pronouncer.pronunciations(of: entry.key, isSpelled: capitals.contains(entry.key)) : []
            if found.isEmpty { unsaid.insert(entry.key) }
            for (number, phones) in found.enumerated() {
                pronunciations.append(
                    Pronunciation(word: number == 0 ? entry.key : "\(entry.key)(\(number + 1))", phones: phones))
            }
        }
        self.pronunciations = pronunciations
        self.unsayable = unsaid.count
        // A sentence is split at such words, so that the words around them do not count as adjacent.
        self.model = WordModel(
            sentences.flatMap { sentence, weight in
                sentence.split { unsaid.contains($0) }.map { (words: Array($0), weight: weight) }
            })
    }
}

/// Pronounces words that are not in the dictionary: by words that are, else by the letter-to-sound rules of flite's English
/// lexicon (Debian's libflite).
struct Pronouncer {
    /// The most pronunciations of one word.
    private static let most = 3

    /// The phones of a word of the dictionary, separated by spaces; `nil`: it is not in the dictionary.
    let known: (String) -> String?

    /// The likeliest first, in the model's notation; empty when the word cannot be said.
    ///
    /// - Parameters:
    ///   - word: in lower case.
    ///   - isSpelled: it was written in capitals, so each letter may be said.
    func pronunciations(of word: String, isSpelled: Bool) -> [String] {
        guard let letters = Self.letters(of: word) else { return [] }
        var found: [String] = []
        for candidate in [
            isSpelled ? spelled(letters) : nil, inflected(letters), compound(letters), Self.byRule(letters),
        ] {
            if let candidate, !candidate.isEmpty, !found.contains(candidate) { found.append(candidate) }
        }
        return Array(found.prefix(Self.most))
    }

    /// The word in letters a to z and apostrophes, without accents, or `nil`.
    private static func letters(of word: String) -> String? {
        let folded = word.folding(options: .diacriticInsensitive, locale: nil)
            .replacing("ß", with: "ss").replacing("æ", with: "ae").replacing("œ", with: "oe").replacing("ø", with: "o")
            .replacing("ł", with: "l").replacing("đ", with: "d").replacing("þ", with: "th").replacing("ð", with: "th")
        let isSayable = folded.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == 0x27 }
        return isSayable && folded.utf8.count > 1 && folded.utf8.first != 0x27 ? folded : nil
    }

    /// “lstm”: “l.” and “s.” and so on, which the dictionary has as words.
    private func spelled(_ letters: String) -> String? {
        guard letters.count <= 6 else { return nil }
        let names = letters.map { known("\($0).") }
        return names.contains(nil) ? nil : names.compactMap(\.self).joined(separator: " ")
    }

    /// A known word with the ending of a plural or a possessive.
    private func inflected(_ letters: String) -> String? {
        guard let ending = ["'s", "s"].first(where: { letters.hasSuffix($0) }),
            let stem = known(String(letters.dropLast(ending.count))), let last = stem.split(separator: " ").last
        else { return nil }
        switch last {
        case "S", "Z", "SH", "ZH", "CH", "JH": return stem + " IH Z"
        case "P", "T", "K", "F", "TH": return stem + " S"
        default: return stem + " Z"
        }
    }

    /// “voicegate”: two known words, of which the shorter one is as long as possible. Short ones are parts of many words by
    /// chance.
    private func compound(_ letters: String) -> String? {
        let shortest = 4
        guard letters.count >= 2 * shortest else { return nil }
        let cuts = (shortest...letters.count - shortest).sorted {
            abs(2 * $0 - letters.count) < abs(2 * $1 - letters.count)
        }
        for cut in cuts {
            if let first = known(String(letters.prefix(cut))), let second = known(String(letters.dropFirst(cut))) {
                return "\(first) \(second)"
            }
        }
        return nil
    }

    private static func byRule(_ letters: String) -> String {
        var phones: [String] = []
        // The context points to `phones` and is used within this call only.
        withUnsafeMutablePointer(to: &phones) {
            vg_pronounce(letters, $0) { context, phone in
                guard let context, let phone else { return }
                context.assumingMemoryBound(to: [String].self).pointee.append(Pronouncer.phone(String(cString: phone)))
            }
        }
        return phones.joined(separator: " ")
    }

    /// The lexicon marks stress and has a sign for weak vowels; the model's phones are those of the CMU dictionary.
    private static func phone(_ lexicon: String) -> String {
        switch lexicon.prefix(while: \.isLetter) {
        case "ax": "AH"
        case "axr": "ER"
        case let other: other.uppercased()
        }
    }
}
