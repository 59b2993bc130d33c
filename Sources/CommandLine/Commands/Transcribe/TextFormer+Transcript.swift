import Speech

extension TextFormer {
    /// An utterance as it is written, with the times of what its words were made of.
    ///
    /// - Parameter oneLine: line ends that were said are spaces: a caption's lines are cut by its length.
    mutating func transcript(_ said: Transcript, oneLine: Bool) -> Transcript {
        let formed = said.words.isEmpty ? [] : words(said.words.map(\.word))
        let text = formed.isEmpty ? utterance(said.text).text : formed.map { $0.before + $0.text }.joined()
        return Transcript(
            text: oneLine ? Self.oneLine(text) : text.hasPrefix(" ") ? String(text.dropFirst()) : text,
            start: said.start, end: said.end,
            words: formed.filter { !$0.text.isEmpty }.map { word in
                let spoken = said.words[word.source]
                return TranscribedWord(
                    word: word.text, start: spoken.first?.start ?? said.start, end: spoken.last?.end ?? said.end,
                    confidence: spoken.map(\.confidence).min() ?? 0)
            },
            alternatives: said.alternatives)
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
