/// A caption on the screen. Times in seconds of audio.
public struct Caption: Sendable, Hashable {
    /// Characters of a line, and lines of a caption, as subtitles commonly have.
    public static let lineLength = 42
    public static let mostLines = 2

    public private(set) var start: Double
    public private(set) var end: Double
    public private(set) var lines: [String]

    /// Divides an utterance into captions, each with the times of its words, and each marked if the utterance is unreliable.
    public static func captions(of transcript: Transcript) -> [Caption] {
        guard !transcript.words.isEmpty else {
            return transcript.text.isEmpty
                ? [] : [Caption(start: transcript.start, end: transcript.end, lines: [transcript.markedText])]
        }
        let mark = transcript.noisyDecibels.map { _ in Transcript.unreliableMark + " " } ?? ""
        var captions: [Caption] = []
        for word in transcript.words where !word.word.isEmpty {
            if captions.isEmpty || !captions[captions.count - 1].append(word) {
                captions.append(Caption(start: word.start, end: word.end, lines: [mark + word.word]))
            }
        }
        return captions
    }

    /// - Returns: `false` if the caption is full.
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

/// A file format of captions.
public enum SubtitleFormat: String, Sendable, Hashable, CaseIterable {
    /// SubRip.
    case srt
    /// WebVTT (W3C, section 4.1).
    case vtt

    /// Before the first caption, without the last line feed.
    public var head: String? { self == .vtt ? "WEBVTT\n" : nil }

    /// `00:00:01,000 --> 00:00:02,500`, the lines, and an empty line; in SubRip with the caption's number first, from 1.
    ///
    /// - Returns: the caption without the last line feed.
    public func text(of caption: Caption, number: Int) -> String {
        let point = self == .srt ? "," : "."
        let times = "\(Self.clock(caption.start, point)) --> \(Self.clock(caption.end, point))\n"
        let text = caption.lines.joined(separator: "\n")
        switch self {
        case .srt:
            return "\(number)\n\(times)\(text)\n"
        case .vtt:
            let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            return "\(times)\(escaped)\n"
        }
    }

    public func file(of transcripts: [Transcript]) -> String {
        let captions = transcripts.flatMap(Caption.captions)
        let texts = captions.enumerated().map { text(of: $0.element, number: $0.offset + 1) }
        return ((head.map { [$0] } ?? []) + texts).map { $0 + "\n" }.joined()
    }

    private static func clock(_ seconds: Double, _ point: String) -> String {
        let milliseconds = Int((max(seconds, 0) * 1000).rounded())
        func digits(_ value: Int, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(count - text.count, 0)) + text
        }
        let (hours, minutes) = (milliseconds / 3_600_000, milliseconds / 60_000 % 60)
        return "\(digits(hours, 2)):\(digits(minutes, 2)):\(digits(milliseconds / 1000 % 60, 2))"
            + point + digits(milliseconds % 1000, 3)
    }
}
