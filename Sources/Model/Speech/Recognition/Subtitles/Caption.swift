/// What stands on the screen for a while. Times in seconds of audio.
public struct Caption: Sendable, Hashable {
    /// Characters of a line, and lines of a caption, as subtitles commonly have.
    public static let lineLength = 42
    public static let mostLines = 2

    public private(set) var start: Double
    public private(set) var end: Double
    public private(set) var lines: [String]

    /// Cuts an utterance into captions that can be read, each with the times of its own words.
    public static func captions(of transcript: Transcript) -> [Caption] {
        guard !transcript.words.isEmpty else {
            return transcript.text.isEmpty
                ? [] : [Caption(start: transcript.start, end: transcript.end, lines: [transcript.text])]
        }
        var captions: [Caption] = []
        for word in transcript.words where !word.word.isEmpty {
            if captions.isEmpty || !captions[captions.count - 1].append(word) {
                captions.append(Caption(start: word.start, end: word.end, lines: [word.word]))
            }
        }
        return captions
    }

    /// - Returns: whether there was room.
    private mutating func append(_ word: TranscribedWord) -> Bool {
        let last = lines[lines.count - 1]
        if last.count + 1 + word.word.count <= Self.lineLength {
            lines[lines.count - 1] = last + " " + word.word
        } else if lines.count < Self.mostLines {
            lines.append(word.word)
        } else {
            return false
        }
        end = max(end, word.end)
        return true
    }
}
