import Foundation
import Recognition

/// What stands on the screen for a while. Times in seconds of audio.
struct Caption: Sendable, Hashable {
    /// Characters of a line, and lines of a caption, as subtitles commonly have.
    static let lineLength = 42
    static let mostLines = 2

    var start: Double
    var end: Double
    var lines: [String]

    /// Cuts an utterance into captions that can be read, each with the times of its own words.
    static func captions(of transcript: Transcript) -> [Caption] {
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

    /// `1`, `00:00:01,000 --> 00:00:02,500`, the lines, an empty line.
    func subRip(number: Int) -> String {
        "\(number)\n\(Self.clock(start, ",")) --> \(Self.clock(end, ","))\n\(lines.joined(separator: "\n"))\n"
    }

    /// `00:00:01.000 --> 00:00:02.500`, the lines, an empty line (W3C WebVTT, section 4.1).
    var webVTT: String {
        let text = lines.joined(separator: "\n")
            .replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
        return "\(Self.clock(start, ".")) --> \(Self.clock(end, "."))\n\(text)\n"
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
