/// Phrases and sample text that improve recognition; other words are recognised, too.
public struct UserWords: Sendable, Hashable {
    public static let mostPhrases = 500
    /// Characters of a phrase.
    public static let longestPhrase = PhraseBook.longestPhrase
    /// UTF-8 bytes of the sample text.
    public static let longestText = 512 << 10

    /// Likely phrases; Apple's `contextualStrings`.
    public private(set) var contextPhrases: [String] = []
    /// Sample text of the user.
    public private(set) var text = ""

    public static let none = UserWords()

    private init() {}

    /// - Throws: `wordsRefused` if a limit is exceeded.
    public init(contextPhrases: [String] = [], text: String = "") throws(RecognitionError) {
        guard contextPhrases.count <= Self.mostPhrases else {
            throw Self.refused(
                "At most \(Self.mostPhrases) context phrases are allowed; there are \(contextPhrases.count).")
        }
        guard contextPhrases.allSatisfy(PhraseBook.isShort) else {
            throw Self.refused("A context phrase may have at most \(Self.longestPhrase) characters; shorten it.")
        }
        guard text.utf8.count <= Self.longestText else {
            throw Self.refused("The sample text may have at most \(Self.longestText >> 10) KiB; shorten it.")
        }
        // A terminal would execute control characters.
        self.contextPhrases = contextPhrases.map { String(String.UnicodeScalarView($0.unicodeScalars.map(Self.plain))) }
        self.text = text
    }

    /// Adds phrases up to the limit, without those that are too long.
    public func adding(contextPhrases more: [String]) -> UserWords {
        let phrases = contextPhrases + more.filter(PhraseBook.isShort).prefix(Self.mostPhrases - contextPhrases.count)
        return (try? UserWords(contextPhrases: phrases, text: text)) ?? self
    }

    public var isEmpty: Bool { contextPhrases.isEmpty && text.isEmpty }

    private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) ? " " : scalar
    }

    private static func refused(_ message: String) -> RecognitionError {
        RecognitionError(code: .wordsRefused, message: message)
    }
}
