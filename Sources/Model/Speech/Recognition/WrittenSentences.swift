/// The sentences of a text as they would be spoken: words of letters, with apostrophes and points within them, in lower case.
///
/// What is not spoken as it is written (numbers, addresses, markup, file names) ends a sentence, so that the words around it
/// do not become a sequence. One pass over Unicode scalars: the text may have half a megabyte.
public struct WrittenSentences: Sendable, Hashable {
    /// Characters of a word; anything longer is not speech.
    public static let longestWord = 40

    public private(set) var sentences: [[String]] = []
    /// Words that are in capitals everywhere in the text: perhaps spelled out.
    public private(set) var capitals: Set<String> = []

    private var sentence: [String] = []
    private var other: Set<String> = []

    public init(_ text: String) {
        var chunk: [Unicode.Scalar] = []
        var newlines = 0
        for scalar in text.unicodeScalars {
            guard Self.isSpace(scalar) else {
                // An empty line ends a paragraph.
                if newlines > 1 { close() }
                newlines = 0
                if chunk.count <= Self.longestChunk { chunk.append(scalar) }
                continue
            }
            if scalar == "\n" || scalar == "\u{2029}" { newlines += 1 }
            if !chunk.isEmpty { take(chunk) }
            chunk.removeAll(keepingCapacity: true)
        }
        if !chunk.isEmpty { take(chunk) }
        close()
        capitals.subtract(other)
    }

    /// Longer ones are not words, even with hyphens.
    private static let longestChunk = 200
    /// Their point ends no sentence.
    private static let titles: Set<String> = ["mr", "mrs", "ms", "dr", "st", "prof", "vs", "etc"]
    /// Characters of text that is not spoken as written.
    private static let foreign: Set<Unicode.Scalar> = [
        "<", ">", "@", "_", "\\", "/", "{", "}", "[", "]", "=", "|", "~", "^", "$", "%", "&", "+", "\u{FFFD}",
    ]
    private static let ends: Set<Unicode.Scalar> = [".", "!", "?", ";", ":", "…"]

    private mutating func close() {
        if !sentence.isEmpty { sentences.append(sentence) }
        sentence = []
    }

    /// - Parameter chunk: without spaces.
    private mutating func take(_ chunk: [Unicode.Scalar]) {
        let isWord = chunk.contains { $0.properties.isAlphabetic }
        guard isWord, chunk.count <= Self.longestChunk, !chunk.contains(where: { Self.isForeign($0) }) else {
            return close()
        }
        var word: [Unicode.Scalar] = []
        var last = ""
        for (index, scalar) in chunk.enumerated() {
            let next = index + 1 < chunk.count ? chunk[index + 1] : " "
            let isInner = !word.isEmpty && next.properties.isAlphabetic
            if scalar.properties.isAlphabetic || Self.isMark(scalar) && !word.isEmpty {
                word.append(scalar)
            } else if scalar == "'" || scalar == "’", isInner {
                word.append("'")
            } else if scalar == ".", isInner || word.contains(".") {
                // “a.m.” keeps its last point.
                word.append(scalar)
            } else if !word.isEmpty {
                last = add(word)
                word = []
            }
        }
        if !word.isEmpty { last = add(word) }
        let end = chunk.last { !Self.quotes.contains($0) }
        if let end, Self.ends.contains(end), !(end == "." && (Self.titles.contains(last) || last.hasSuffix("."))) {
            close()
        }
    }

    private static let quotes: Set<Unicode.Scalar> = ["\"", "”", "“", "’", "'", ")", "*"]

    /// - Returns: the word; empty if it is too long.
    private mutating func add(_ scalars: [Unicode.Scalar]) -> String {
        guard scalars.count <= Self.longestWord else {
            close()
            return ""
        }
        let written = String(String.UnicodeScalarView(scalars))
        let word = written.lowercased()
        sentence.append(word)
        if scalars.count > 1, scalars.allSatisfy({ $0.properties.isUppercase }) {
            capitals.insert(word)
        } else {
            other.insert(word)
        }
        return word
    }

    private static func isForeign(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.numericType != nil || foreign.contains(scalar)
            || scalar.properties.generalCategory == .control
            || scalar.properties.generalCategory == .privateUse || scalar.properties.generalCategory == .unassigned
    }

    /// A combining accent.
    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .nonspacingMark
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value <= 0x20 && scalar.value != 0x1B && (scalar == " " || (0x09...0x0D).contains(scalar.value))
            || scalar.value > 0x7F && scalar.properties.isWhitespace
    }
}
