import Speech

/// Formats the utterances of one session in order; the end of one affects the next.
struct TextFormer: Sendable {
    private struct Piece {
        var text: String
        var source: Range<Int>
        var mark: SpokenMark?
        /// Written as the user has it, also at the beginning of a sentence.
        var isOwn = false
    }

    /// Whether spoken names of marks are written as marks: "comma" becomes ",", "new line" a line feed; sentences begin with a
    /// capital letter. English.
    private let punctuation: Bool
    private let replacements: Replacements
    /// Whether the next word begins a sentence.
    private var beginsSentence = true
    /// Whether the next utterance follows without a space.
    private var touchesNext = true

    init(punctuation: Bool, replacements: Replacements = .none) {
        self.punctuation = punctuation
        self.replacements = replacements
    }

    /// Whether it can change more than spaces.
    var changesText: Bool { punctuation || replacements != .none }

    mutating func utterance(_ text: String) -> FormedText {
        let said = text.split(whereSeparator: \.isWhitespace).map(String.init)
        let words = words(said)
        guard let first = words.first else { return FormedText(separator: "", text: "") }
        let isSpaced = first.before == " "
        let text = words.enumerated().map { ($0.offset == 0 && isSpaced ? "" : $0.element.before) + $0.element.text }
        return FormedText(separator: isSpaced ? " " : "", text: text.joined())
    }

    mutating func words(_ said: [String]) -> [FormedWord] {
        var formed: [FormedWord] = []
        var touches = touchesNext
        for piece in pieces(said) {
            if let mark = piece.mark {
                if mark.text.hasPrefix("\n") {
                    formed.append(FormedWord(before: mark.text, text: "", source: piece.source))
                } else {
                    append(mark.text, piece.source, touching: touches || mark.touchesLeft, to: &formed)
                }
                touches = mark.touchesRight
                beginsSentence = mark.endsSentence || beginsSentence && mark.touchesRight
            } else {
                let text = punctuation && beginsSentence && !piece.isOwn ? Self.capitalized(piece.text) : piece.text
                append(text, piece.source, touching: touches, to: &formed)
                touches = false
                beginsSentence = text.last.map { ".?!".contains($0) } ?? false
            }
        }
        touchesNext = touches
        return formed
    }

    /// The formatted transcript, with the times of the spoken words.
    ///
    /// - Parameter oneLine: replaces spoken line feeds by spaces, because captions are broken by length.
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
            alternatives: said.alternatives, noisyDecibels: said.noisyDecibels)
    }

    private static func oneLine(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
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
        let spoken = said.map(Replacements.word)
        var place = 0
        while place < said.count {
            if let (text, count) = replacements.replacement(of: spoken, at: place) {
                if !text.isEmpty { pieces.append(Piece(text: text, source: place..<(place + count), isOwn: true)) }
                place += count
                continue
            }
            let start = words[place] == SpokenMark.escape ? place + 1 : place
            guard punctuation, let (mark, count) = SpokenMark.mark(in: words, at: start) else {
                let text = replacements.inside(said[place])
                pieces.append(Piece(text: text, source: place..<(place + 1), isOwn: text != said[place]))
                place += 1
                continue
            }
            let end = start + count
            if start == place {
                pieces.append(Piece(text: "", source: place..<end, mark: mark))
            } else {
                // The name as words, without the escape.
                pieces += (start..<end).map { Piece(text: said[$0], source: place..<($0 + 1)) }
            }
            place = end
        }
        return pieces
    }

    private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }
}

struct FormedText: Sendable, Hashable {
    /// What separates it from the utterance before: nothing or a space.
    var separator: String
    /// Can contain spoken line feeds, also at both ends.
    var text: String
}

/// A formatted word with the marks that touch it.
struct FormedWord: Sendable, Hashable {
    /// What separates it from the word before: nothing, a space, or one or two line feeds.
    var before: String
    /// Empty for spoken line feeds.
    var text: String
    /// The indices of the spoken words.
    var source: Range<Int>
}
