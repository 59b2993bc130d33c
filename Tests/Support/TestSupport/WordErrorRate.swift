/// The distance of a transcript from the reference: the fewest words inserted, left out or replaced.
public struct WordErrorRate: Sendable, Hashable {
    public let errors: Int
    public let words: Int

    /// Compares without regard to case and punctuation.
    public init(reference: String, hypothesis: String) {
        let reference = Self.words(of: reference)
        let hypothesis = Self.words(of: hypothesis)
        var distances = Array(0...hypothesis.count)
        for (row, said) in reference.enumerated() {
            var diagonal = distances[0]
            distances[0] = row + 1
            for (column, understood) in hypothesis.enumerated() {
                let replaced = diagonal + (said == understood ? 0 : 1)
                diagonal = distances[column + 1]
                distances[column + 1] = min(replaced, diagonal + 1, distances[column] + 1)
            }
        }
        self.init(errors: distances[hypothesis.count], words: reference.count)
    }

    public init(errors: Int, words: Int) {
        self.errors = errors
        self.words = words
    }

    /// Errors for each word that was said; may be above 1.
    public var rate: Double { words == 0 ? (errors == 0 ? 0 : 1) : Double(errors) / Double(words) }

    public static func + (left: WordErrorRate, right: WordErrorRate) -> WordErrorRate {
        WordErrorRate(errors: left.errors + right.errors, words: left.words + right.words)
    }

    private static func words(of text: String) -> [String] {
        text.lowercased().split { !($0.isLetter || $0.isNumber || $0 == "'") }.map(String.init)
    }
}
