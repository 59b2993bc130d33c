/// A phrase to be spotted in continuous speech.
public struct KeyPhrase: Sendable, Hashable, Codable {
    public let text: String
    /// How much worse than the best free reading the phrase may fit what was heard, in nats for each 10 ms: 0 … 1. Larger
    /// finds more, and more that was not said.
    public let tolerance: Double

    /// - Parameter tolerance: `nil`: by the phrase's length, because a short one is more easily found in other words.
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
