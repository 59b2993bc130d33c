import CPocketSphinx
import Foundation

/// How words sound that the dictionary has not: by words that it has, else by the letter-to-sound rules of flite's English
/// lexicon (Debian's libflite).
struct Pronouncer {
    /// Pronunciations of one word.
    private static let most = 3

    /// The phones of a word of the dictionary, with a space between two; `nil`: it has none of it.
    let known: (String) -> String?

    /// The likeliest first, in the model's notation; empty when the word cannot be said.
    ///
    /// - Parameters:
    ///   - word: in lower case.
    ///   - isSpelled: it was written in capitals: perhaps each letter is said.
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

    /// “voicegate”: two known words, where the shorter one is as long as possible. Short ones are in any word by chance.
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
