/// What is known of the words that a person is about to say: recognised better, and never the only ones recognised.
public struct UserWords: Sendable, Hashable {
    public static let mostPhrases = 500
    /// Characters of a phrase.
    public static let longestPhrase = 200
    /// UTF-8 bytes of the person's own writing.
    public static let longestText = 512 << 10

    /// Phrases that are likely to be said; Apple's `contextualStrings`.
    public let contextPhrases: [String]
    /// The person's own writing.
    public let text: String

    public static let none = UserWords()

    private init() {
        contextPhrases = []
        text = ""
    }

    /// - Throws: `wordsRefused` when there is more than the limits allow.
    public init(contextPhrases: [String] = [], text: String = "") throws(RecognitionError) {
        guard contextPhrases.count <= Self.mostPhrases else {
            throw Self.refused(
                "At most \(Self.mostPhrases) context phrases are taken; these are \(contextPhrases.count).")
        }
        // Bounded in bytes before it is walked by grapheme.
        guard
            contextPhrases.allSatisfy({
                $0.utf8.count <= 4 * Self.longestPhrase && $0.count <= Self.longestPhrase
            })
        else { throw Self.refused("A context phrase may have at most \(Self.longestPhrase) characters; shorten it.") }
        guard text.utf8.count <= Self.longestText else {
            throw Self.refused(
                "Of your own writing at most \(Self.longestText >> 10) KiB are taken; leave some of it out.")
        }
        // Control characters are said by nobody, and a terminal would obey them.
        self.contextPhrases = contextPhrases.map { String(String.UnicodeScalarView($0.unicodeScalars.map(Self.plain))) }
        self.text = text
    }

    /// With further phrases, as many as there is room for; those that are too long are left out.
    public func adding(contextPhrases more: [String]) -> UserWords {
        let fitting = more.filter { $0.utf8.count <= 4 * Self.longestPhrase && $0.count <= Self.longestPhrase }
        let phrases = contextPhrases + fitting.prefix(Self.mostPhrases - contextPhrases.count)
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
