import Base

/// Derives live text from hypotheses such that a stable word never changes during the utterance.
///
/// A word is stable when several consecutive hypotheses agree on it and on all words before it; the last word of a hypothesis
/// never is, because it may be incomplete. If a later hypothesis changes a stable word, the word stays as shown, followed by
/// the rest of the hypothesis from the best alignment on. The final text corrects that.
public struct StablePrefix: Sendable {
    private let agreement: Int?
    private var history: [[String]] = []
    private var stable: [String] = []

    /// - Parameter agreement: the number of consecutive hypotheses that must agree; `nil`: words become stable only by
    ///   `settle`.
    public init(agreement: Int? = 3) {
        self.agreement = agreement.map { max(1, $0) }
    }

    /// - Parameter hypothesis: of a moment at which no word is incomplete; all its words become stable.
    /// - Returns: the text to show.
    public mutating func settle(_ hypothesis: String) -> PartialTranscript {
        let text = take(hypothesis).text
        stable = text.split(separator: " ").map(String.init)
        return PartialTranscript(text: text, stablePrefix: text.utf8.count)
    }

    /// - Parameter hypothesis: words with spaces between them.
    /// - Returns: the text to show; it begins with all words that were stable before.
    public mutating func take(_ hypothesis: String) -> PartialTranscript {
        let words = hypothesis.split(separator: " ").map(String.init)
        let rest = words.starts(with: stable) ? words.dropFirst(stable.count) : words.dropFirst(overlap(of: words))
        let shown = stable + rest
        if let agreement {
            history.append(shown)
            if history.count > agreement { history.removeFirst() }
            let settled = history.count == agreement ? min(Self.common(history), shown.count - 1) : 0
            if settled > stable.count { stable = Array(shown[..<settled]) }
        }
        return PartialTranscript(
            text: shown.joined(separator: " "), stablePrefix: stable.joined(separator: " ").utf8.count)
    }

    /// The number of words that match the stable ones: the prefix with the smallest distance, of several the one that is
    /// nearest in length.
    private func overlap(of words: [String]) -> Int {
        let row = WordDistance.toPrefixes(reference: stable, hypothesis: words)
        let candidates = row.enumerated().map { (differences: $1, distance: abs($0 - stable.count), count: $0) }
        return candidates.min { ($0.differences, $0.distance) < ($1.differences, $1.distance) }?.count ?? 0
    }

    /// How many words all of them begin with.
    private static func common(_ hypotheses: [[String]]) -> Int {
        guard let first = hypotheses.first else { return 0 }
        return first.indices.prefix { place in
            hypotheses.allSatisfy { place < $0.count && $0[place] == first[place] }
        }.count
    }
}
