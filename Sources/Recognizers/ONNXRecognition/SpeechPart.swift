/// A part of speech that the model reads as a whole. Parts end at pauses; where there is none the next one begins before the end
/// of the last, and the words that both have are written once (`WordSeam`).
struct SpeechPart: Hashable {
    /// Windows of the detector, 32 ms each.
    let windows: Range<Int>
    /// Whether it begins within the part before it.
    let overlaps: Bool

    /// The middle of what it has in common with the part before it, in seconds.
    var seam: Double { Self.seconds(windows.lowerBound) + Self.overlap / 2 }

    /// Seconds. The model was made for speech of at most 30 s: of 44 and of 54 s it makes loops, and its memory grows with the square.
    private static let most = 25.0
    /// Of two pauses that are about as long, the part that is too short is worth less.
    private static let least = 10.0
    /// A shorter pause may be within a word or between two that the model reads together: with pauses of at most 0.1 s there are
    /// 10.9 errors in 100 words if parts are cut there, and 10.4 if they overlap.
    private static let pause = 0.25
    /// Room for some words, of which the first and the last may be incomplete.
    private static let overlap = 3.0

    /// - Parameter voices: whether each window has a voice.
    static func parts(of voices: [Bool]) -> [SpeechPart] {
        var parts: [SpeechPart] = []
        var (start, overlaps) = (0, false)
        while voices.count - start > windows(most) {
            let end = start + windows(most)
            let silence = longestSilence(in: voices[start + windows(least)..<end])
            let isPause = silence.count >= windows(pause)
            let place = isPause ? (silence.lowerBound + silence.upperBound) / 2 : end
            parts.append(SpeechPart(windows: start..<place, overlaps: overlaps))
            (start, overlaps) = isPause ? (place, false) : (place - windows(overlap), true)
        }
        return parts + [SpeechPart(windows: start..<voices.count, overlaps: overlaps)]
    }

    /// The last of several that are equally long.
    private static func longestSilence(in voices: ArraySlice<Bool>) -> Range<Int> {
        var longest = voices.startIndex..<voices.startIndex
        var start: Int?
        for index in voices.indices {
            if voices[index] { start = nil } else if start == nil { start = index }
            if let start, index + 1 - start >= longest.count { longest = start..<index + 1 }
        }
        return longest
    }

    private static func windows(_ seconds: Double) -> Int { Int(seconds * 16_000) / VoiceDetector.window }
    private static func seconds(_ windows: Int) -> Double { Double(windows * VoiceDetector.window) / 16_000 }
}

/// Joins the words of two parts of speech that overlap.
enum WordSeam {
    /// Times are estimated: the same word's differ by at most so many seconds in the two parts.
    private static let tolerance = 1.5
    /// Seconds beside the seam within which words of both parts can be the same.
    private static let reach = 3.0

    /// Goes from the left words to the right ones in the middle of the longest phrase that both have at the same time, of several
    /// the one nearest to the seam. Without one, at the seam's time; if only one part has words there, they stay.
    static func joined(_ left: [PieceWord], _ right: [PieceWord], around seam: Double) -> [PieceWord] {
        let ends = left.indices.filter { left[$0].end > seam - reach }
        let starts = right.indices.filter { right[$0].start < seam + reach }
        guard !ends.isEmpty, !starts.isEmpty else { return left + right }
        let (plainLeft, plainRight) = (left.map { SpokenText.plain($0.text) }, right.map { SpokenText.plain($0.text) })
        var best: (length: Int, distance: Double, left: Int, right: Int)?
        for one in ends {
            for other in starts {
                let length = zip(one..<left.count, other..<right.count).prefix {
                    !plainLeft[$0].isEmpty && plainLeft[$0] == plainRight[$1]
                        && abs(left[$0].start - right[$1].start) < tolerance
                }.count
                let distance = abs((left[one].start + right[other].start) / 2 - seam)
                if (length, -distance) > (best?.length ?? 0, -(best?.distance ?? 0)) {
                    best = (length, distance, one, other)
                }
            }
        }
        guard let best else {
            return left.filter { ($0.start + $0.end) / 2 < seam } + right.filter { ($0.start + $0.end) / 2 >= seam }
        }
        let half = (best.length + 1) / 2
        return Array(left[..<(best.left + half)] + right[(best.right + half)...])
    }
}
