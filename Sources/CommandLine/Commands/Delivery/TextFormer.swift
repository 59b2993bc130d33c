import Speech

/// Writes the utterances of one session, one after the other: what is said at the end of one counts for the next.
public struct TextFormer: Sendable {
    private struct Piece {
        var text: String
        var source: Range<Int>
        var mark: SpokenMark?
    }

    private let form: TextForm
    /// Whether the next word begins a sentence.
    private var beginsSentence = true
    /// Whether nothing stands between the last utterance and the next.
    private var touchesNext = true

    public init(_ form: TextForm) { self.form = form }

    /// - Parameter text: one utterance, as it was recognised.
    public mutating func utterance(_ text: String) -> FormedText {
        let said = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard form != .asSaid else {
            defer { touchesNext = false }
            return FormedText(separator: touchesNext ? "" : " ", text: said.joined(separator: " "))
        }
        let words = words(said)
        guard let first = words.first else { return FormedText(separator: "", text: "") }
        let isSpaced = first.before == " "
        let text = words.enumerated().map { ($0.offset == 0 && isSpaced ? "" : $0.element.before) + $0.element.text }
        return FormedText(separator: isSpaced ? " " : "", text: text.joined())
    }

    /// - Parameter said: the words of one utterance.
    public mutating func words(_ said: [String]) -> [FormedWord] {
        var formed: [FormedWord] = []
        var touches = touchesNext
        // The words that line ends are made of belong to nothing that is seen.
        for piece in pieces(said) {
            if let mark = piece.mark {
                if mark.isLineEnd {
                    formed.append(FormedWord(before: mark.text, text: "", source: piece.source))
                } else {
                    append(mark.text, piece.source, touching: touches || mark.touchesLeft, to: &formed)
                }
                touches = mark.touchesRight
                beginsSentence = mark.endsSentence || beginsSentence && mark.touchesRight
            } else {
                let text = form.punctuation && beginsSentence ? Self.capitalized(piece.text) : piece.text
                append(text, piece.source, touching: touches, to: &formed)
                touches = false
                beginsSentence = text.last.map { ".?!".contains($0) } ?? false
            }
        }
        touchesNext = touches
        return formed
    }

    private func append(_ text: String, _ source: Range<Int>, touching: Bool, to formed: inout [FormedWord]) {
        guard touching, let last = formed.last else {
            formed.append(FormedWord(before: touching ? "" : " ", text: text, source: source))
            return
        }
        let isAfterLineEnd = last.text.isEmpty
        formed[formed.count - 1].text += text
        formed[formed.count - 1].source =
            isAfterLineEnd ? source : last.source.lowerBound..<max(last.source.upperBound, source.upperBound)
    }

    private func pieces(_ said: [String]) -> [Piece] {
        var pieces: [Piece] = []
        let words = said.map { $0.lowercased() }
        var place = 0
        while place < said.count {
            var count = 1
            if form.punctuation, words[place] == SpokenMark.escape,
                let (_, length) = SpokenMark.mark(in: words, at: place + 1)
            {
                // The name as a word; what says so is not written.
                for name in (place + 1)...(place + length) {
                    pieces.append(Piece(text: said[name], source: place..<(name + 1)))
                }
                count = length + 1
            } else if form.punctuation, let (mark, length) = SpokenMark.mark(in: words, at: place) {
                pieces.append(Piece(text: "", source: place..<(place + length), mark: mark))
                count = length
            } else {
                pieces.append(Piece(text: said[place], source: place..<(place + 1)))
            }
            place += count
        }
        return form.numbers ? withNumbers(pieces) : pieces
    }

    /// Marks end a number, as they do when one reads.
    private func withNumbers(_ pieces: [Piece]) -> [Piece] {
        var result: [Piece] = []
        var run: [Piece] = []
        func writeRun() {
            result += SpokenNumbers.written(run.map(\.text)).map { number in
                let said = run[number.words]
                return Piece(
                    text: number.text,
                    source: (said.first?.source.lowerBound ?? 0)..<(said.last?.source.upperBound ?? 0))
            }
            run = []
        }
        for piece in pieces {
            if piece.mark == nil {
                run.append(piece)
            } else {
                writeRun()
                result.append(piece)
            }
        }
        writeRun()
        return result
    }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}

/// Which of what was said is written as signs: English words for marks, and numbers.
public struct TextForm: Sendable, Hashable {
    /// "comma" becomes ",", "new line" a line's end; sentences begin with a capital letter.
    public var punctuation: Bool
    /// "twenty three" becomes 23. Single numbers below ten stay words, as in prose.
    public var numbers: Bool

    public static let asSaid = TextForm(punctuation: false, numbers: false)

    public init(punctuation: Bool, numbers: Bool) {
        self.punctuation = punctuation
        self.numbers = numbers
    }
}

/// An utterance as it is written.
public struct FormedText: Sendable, Hashable {
    /// What stands between it and the utterance before: nothing or a space.
    public var separator: String
    /// May hold line ends where they were said, also at both of its ends.
    public var text: String

    public init(separator: String, text: String) {
        self.separator = separator
        self.text = text
    }
}

/// A word as it is written, with the marks that touch it.
public struct FormedWord: Sendable, Hashable {
    /// What stands between it and what came before: nothing, a space, or one or two line ends.
    public var before: String
    /// Empty where only line ends were said.
    public var text: String
    /// The words it was made of, by their places in what was said.
    public var source: Range<Int>

    public init(before: String, text: String, source: Range<Int>) {
        self.before = before
        self.text = text
        self.source = source
    }
}

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
