/// How likely a word is to be right.
///
/// The engine's posterior probability orders words well and is no probability. The table's ends were measured on 917 words of
/// people reading (LibriVox, LJ Speech, Harvard sentences, commands): of the words with 0 to 0.2, 45 in 100 were right, of
/// those with 0.99 and more, 95. Between them it follows what `Benchmarks/context.py --fit` finds in 70 words of LibriVox
/// (pool adjacent violators: the share of right words never falls): few words, so read the middle as a guide.
enum Confidence {
    /// Posterior → share of right words, both growing.
    private static let table: [(posterior: Double, right: Double)] = [
        (0, 0.4), (0.2, 0.5), (0.5, 0.72), (0.8, 0.83), (0.99, 0.95), (1, 0.97),
    ]

    /// - Parameter posterior: as the engine gives it; what is no number counts as 0.
    static func ofWord(posterior: Double) -> Double {
        guard posterior > 0 else { return table[0].right }
        for (low, high) in zip(table, table.dropFirst()) where posterior <= high.posterior {
            let share = (posterior - low.posterior) / (high.posterior - low.posterior)
            return low.right + share * (high.right - low.right)
        }
        return table[table.count - 1].right
    }
}
