import Speech

/// OpenAI's `prompt` as phrases that are likely to be said. A prompt is a text, often what was said before or a list of
/// names; it is cut where its author put a mark.
enum PromptPhrases {
    /// OpenAI's models look at the end of a long prompt only, so the last phrases stay. One that is too long is cut at blanks.
    static func phrases(in prompt: String) -> [String] {
        let marked = prompt.split { ",;:.!?\n\r\t\"()[]…、。・，；：！？".contains($0) }
        let phrases = marked.flatMap { pieces(of: $0) }
        return Array(phrases.suffix(UserWords.mostPhrases))
    }

    private static func pieces(of text: Substring) -> [String] {
        var pieces: [String] = []
        var piece = ""
        for word in text.split(separator: " ") where fits(word) {
            let longer = piece.isEmpty ? String(word) : piece + " " + word
            if fits(longer) {
                piece = longer
            } else {
                pieces.append(piece)
                piece = String(word)
            }
        }
        return piece.isEmpty ? pieces : pieces + [piece]
    }

    /// As `UserWords` bounds a phrase; a longer word is none that anybody says.
    private static func fits(_ text: some StringProtocol) -> Bool {
        text.utf8.count <= 4 * UserWords.longestPhrase && text.count <= UserWords.longestPhrase
    }
}
