/// How captions are written to a file.
public enum SubtitleFormat: String, Sendable, Hashable, CaseIterable {
    /// SubRip.
    case srt
    /// WebVTT (W3C, section 4.1).
    case vtt

    /// What stands before the first caption, with a line's end to come.
    public var head: String? { self == .vtt ? "WEBVTT\n" : nil }

    /// `00:00:01,000 --> 00:00:02,500`, the lines, an empty line; SubRip has the caption's number before.
    ///
    /// - Parameter number: the first caption's is 1.
    /// - Returns: the caption, with a line's end to come.
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

    /// A whole file.
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
