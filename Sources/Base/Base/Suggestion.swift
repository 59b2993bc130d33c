/// The name that was probably meant by a misspelt one.
public enum Suggestion {
    /// - Parameters:
    ///   - word: the misspelt name.
    ///   - names: those that exist.
    /// - Returns: `nil` if none differs by less than half of its letters.
    public static func nearest(_ word: String, in names: [String]) -> String? {
        let letters = letters(word)
        let found = names.map { ($0, WordDistance.errors(reference: letters, hypothesis: Self.letters($0))) }
            .min { $0.1 < $1.1 }
        return found.flatMap { $0.1 * 2 < max(letters.count, 3) ? $0.0 : nil }
    }

    /// ` Did you mean …?`, or nothing.
    ///
    /// - Parameters:
    ///   - word: the misspelt name.
    ///   - names: those that exist.
    public static func question(_ word: String, in names: [String]) -> String {
        nearest(word, in: names).map { " Did you mean “\($0)”?" } ?? ""
    }

    private static func letters(_ word: String) -> [String] { word.lowercased().map { String($0) } }
}

/// The fewest inserted, deleted and substituted words (Levenshtein).
public enum WordDistance {
    public static func errors(reference: [String], hypothesis: [String]) -> Int {
        toPrefixes(reference: reference, hypothesis: hypothesis)[hypothesis.count]
    }

    /// The distance of the reference to each prefix of the hypothesis, from the empty one to the whole.
    package static func toPrefixes(reference: [String], hypothesis: [String]) -> [Int] {
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
        return distances
    }
}
