/// A client's phrases. They are compared by their words: without case, hyphens and punctuation.
public struct PhraseBook: Sendable, Hashable {
    public static let mostPhrases = 200
    /// Characters of a phrase.
    public static let longestPhrase = 200

    /// As supplied, without those with the same words as an earlier one.
    public let phrases: [String]
    /// The words of each phrase.
    public let spoken: [[String]]
    private let indices: [[String]: Int]

    /// - Throws: `phraseRefused`, with the phrase that cannot be recognised.
    public init(_ phrases: [String]) throws(RecognitionError) {
        guard !phrases.isEmpty, phrases.count <= Self.mostPhrases else {
            throw Self.refused("Give 1 to \(Self.mostPhrases) phrases; these are \(phrases.count).")
        }
        var kept: [String] = []
        var spoken: [[String]] = []
        var indices: [[String]: Int] = [:]
        for phrase in phrases {
            guard Self.isShort(phrase) else {
                throw Self.refused("A phrase may have at most \(Self.longestPhrase) characters; shorten it.")
            }
            let words = Self.words(of: phrase)
            guard !words.isEmpty, words.allSatisfy(Self.isSayable) else {
                throw Self.refused("The phrase “\(phrase)” contains something other than words; write words only.")
            }
            guard indices[words] == nil else { continue }
            indices[words] = kept.count
            kept.append(phrase)
            spoken.append(words)
        }
        self.phrases = kept
        self.spoken = spoken
        self.indices = indices
    }

    /// The phrase with the text's words, as supplied.
    public func phrase(_ text: String) -> String? {
        indices[Self.words(of: text)].map { phrases[$0] }
    }

    /// The text's words in the form of a pronunciation dictionary.
    public static func words(of text: String) -> [String] {
        text.lowercased().replacing("’", with: "'").split { $0.isWhitespace || $0 == "-" }.compactMap { piece in
            let word = piece.drop { marks.contains($0) }
            guard let last = word.lastIndex(where: { !marks.contains($0) }) else { return nil }
            let core = word[...last]
            // “a.m.” keeps its last point.
            return core.contains(".") && word[word.index(after: last)...].first == "." ? core + "." : String(core)
        }
    }

    private static let marks: Set<Character> = [",", ".", "!", "?", ";", ":", "\"", "“", "”", "„", "(", ")", "…"]

    /// Bounds the bytes before it counts graphemes.
    static func isShort(_ phrase: String) -> Bool {
        phrase.utf8.count <= 4 * longestPhrase && phrase.count <= longestPhrase
    }

    /// Letters, apostrophes and points: no syntax of a recogniser's files.
    private static func isSayable(_ word: String) -> Bool {
        word.unicodeScalars.allSatisfy { $0.properties.isAlphabetic || $0 == "'" || $0 == "." }
    }

    public static func unknown(_ word: String) -> RecognitionError {
        refused("The recogniser does not know the word “\(word)”; use another.")
    }

    private static func refused(_ message: String) -> RecognitionError {
        RecognitionError(code: .phraseRefused, message: message)
    }
}

/// A phrase to detect in continuous speech.
public struct KeyPhrase: Sendable, Hashable, Codable {
    public let text: String
    /// How much worse than the best unconstrained hypothesis the phrase may score, in nats for each 10 ms: 0…1. A larger value
    /// detects more, and more false positives.
    public let tolerance: Double

    /// - Parameter tolerance: `nil`: by the phrase's length, because a short phrase is more similar to other speech.
    public init(_ text: String, tolerance: Double? = nil) {
        self.text = text
        self.tolerance = tolerance ?? Self.tolerance(ofWords: PhraseBook.words(of: text).count)
    }

    static func tolerance(ofWords count: Int) -> Double {
        switch count {
        case ...1: 0
        case 2: 0.05
        default: 0.15
        }
    }
}
