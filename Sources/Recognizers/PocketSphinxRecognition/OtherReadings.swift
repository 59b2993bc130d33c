/// Other readings of an utterance that was decoded piece by piece: each differs from its text in one piece.
struct OtherReadings: Sendable, Hashable {
    struct Piece: Sendable, Hashable {
        let text: String
        /// Without the text, the best first.
        let others: [String]
    }

    let pieces: [Piece]

    /// The second best of each piece before the third best of any; as many as the piece with the most has.
    var texts: [String] {
        let most = pieces.map(\.others.count).max() ?? 0
        var texts: [String] = []
        for rank in 0..<most {
            for (place, piece) in pieces.enumerated() where rank < piece.others.count {
                let words = pieces.enumerated().map { $0 == place ? piece.others[rank] : $1.text }
                texts.append(words.filter { !$0.isEmpty }.joined(separator: " "))
            }
        }
        return Array(texts.prefix(most))
    }
}
