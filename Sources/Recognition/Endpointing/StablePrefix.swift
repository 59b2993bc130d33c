/// Tells how much of the live text is not expected to change: the words that several hypotheses in a row agreed on, without
/// the last one, which may still be growing.
public struct StablePrefix: Sendable {
    private let agreement: Int
    private var history: [[Substring]] = []
    private var stableWords = 0

    /// - Parameter agreement: how many hypotheses in a row must agree.
    public init(agreement: Int = 3) {
        self.agreement = max(1, agreement)
    }

    /// - Returns: the stable beginning of `text` in UTF-8 bytes.
    public mutating func take(_ text: String) -> Int {
        let words = text.split(separator: " ")
        history.append(words)
        if history.count > agreement { history.removeFirst() }
        // What was called stable and changed after all is not stable any more.
        let kept = Self.common(history.suffix(2).map(\.self))
        stableWords = min(stableWords, kept)
        if history.count == agreement { stableWords = max(stableWords, min(Self.common(history), words.count - 1)) }
        guard stableWords > 0, stableWords <= words.count else { return 0 }
        return text.utf8.distance(from: text.startIndex, to: words[stableWords - 1].endIndex)
    }

    private static func common(_ hypotheses: [[Substring]]) -> Int {
        guard var count = hypotheses.map(\.count).min(), let first = hypotheses.first else { return 0 }
        for other in hypotheses.dropFirst() {
            var same = 0
            while same < count, other[same] == first[same] { same += 1 }
            count = same
        }
        return count
    }
}
