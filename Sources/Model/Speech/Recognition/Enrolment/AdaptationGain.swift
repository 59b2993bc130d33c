/// What an adaptation did to the errors in sentences that it was not learnt from.
public struct AdaptationGain: Sendable, Hashable, Codable {
    /// A sentence that was kept back: how many words it has, and how many were wrong without and with the adaptation.
    public struct Sentence: Sendable, Hashable {
        public let words: Int
        public let before: Int
        public let after: Int

        public init(words: Int, before: Int, after: Int) {
            self.words = words
            self.before = before
            self.after = after
        }
    }

    public let sentences: Int
    public let words: Int
    public let errorsBefore: Int
    public let errorsAfter: Int
    /// Sentences with fewer errors than before, and with more.
    public let better: Int
    public let worse: Int

    public init(_ sentences: [Sentence]) {
        self.sentences = sentences.count
        words = sentences.reduce(0) { $0 + $1.words }
        errorsBefore = sentences.reduce(0) { $0 + $1.before }
        errorsAfter = sentences.reduce(0) { $0 + $1.after }
        better = sentences.count { $0.after < $0.before }
        worse = sentences.count { $0.after > $0.before }
    }

    /// For whoever reads the numbers from somewhere else.
    public init(sentences: Int, words: Int, errorsBefore: Int, errorsAfter: Int, better: Int, worse: Int) {
        self.sentences = sentences
        self.words = words
        self.errorsBefore = errorsBefore
        self.errorsAfter = errorsAfter
        self.better = better
        self.worse = worse
    }

    /// Errors in 100 words, without and with the adaptation.
    public var rateBefore: Double { rate(errorsBefore) }
    public var rateAfter: Double { rate(errorsAfter) }

    /// Whether it helps: at least two errors in total less, at least 3 % less, and more sentences better than worse, so
    /// that one sentence that happened to come out well does not decide.
    ///
    /// A stricter test (5 % by the sign test) would need about 100 sentences to notice a tenth fewer errors.
    public var isClear: Bool {
        let fewer = errorsBefore - errorsAfter
        return fewer >= 2 && 100 * fewer >= 3 * errorsBefore && better > worse
    }

    private func rate(_ errors: Int) -> Double { words == 0 ? 0 : 100 * Double(errors) / Double(words) }
}
