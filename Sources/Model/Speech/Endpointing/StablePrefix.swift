/// Makes live text of hypotheses so that a word once called stable never changes while the utterance is spoken.
///
/// A word is stable when several hypotheses in a row agreed on it and on all words before it; the last word of a hypothesis
/// never is, because it may still be growing. When the recogniser changes its mind about a stable word after all, the word
/// stays as it was shown, and what it says now follows from where the two fit best. The final text of the utterance makes
/// that good.
public struct StablePrefix: Sendable {
    private let agreement: Int
    private var history: [[String]] = []
    private var stable: [String] = []

    /// - Parameter agreement: how many hypotheses in a row must agree.
    public init(agreement: Int = 3) {
        self.agreement = max(1, agreement)
    }

    /// What to show. It begins with all words that were stable before, whatever the hypothesis says.
    ///
    /// - Parameter hypothesis: words with blanks between them.
    public mutating func take(_ hypothesis: String) -> PartialTranscript {
        let words = hypothesis.split(separator: " ").map(String.init)
        let rest = words.starts(with: stable) ? words.dropFirst(stable.count) : words.dropFirst(overlap(of: words))
        let shown = stable + rest
        history.append(shown)
        if history.count > agreement { history.removeFirst() }
        if history.count == agreement {
            let settled = min(Self.common(history), shown.count - 1)
            if settled > stable.count { stable = Array(shown[..<settled]) }
        }
        return PartialTranscript(
            text: shown.joined(separator: " "), stablePrefix: stable.joined(separator: " ").utf8.count)
    }

    /// How many of the words say the same as the stable ones: the beginning with the fewest differences, and of several
    /// the one that is nearest in length.
    private func overlap(of words: [String]) -> Int {
        // Differences of the stable words so far from each beginning of the words.
        var row = Array(0...words.count)
        for (index, word) in stable.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in words.indices {
                let replaced = diagonal + (word == words[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, min(diagonal, row[column]) + 1)
            }
        }
        let candidates = row.enumerated().map { (differences: $1, distance: abs($0 - stable.count), count: $0) }
        return candidates.min { ($0.differences, $0.distance) < ($1.differences, $1.distance) }?.count ?? 0
    }

    private static func common(_ hypotheses: [[String]]) -> Int {
        guard var count = hypotheses.map(\.count).min(), let first = hypotheses.first else { return 0 }
        for other in hypotheses.dropFirst() {
            var same = 0
            while same < count, other[same] == first[same] { same += 1 }
            count = same
        }
        return count
    }
}
