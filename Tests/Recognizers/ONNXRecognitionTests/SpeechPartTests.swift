import Testing

@testable import ONNXRecognition

@Suite("Speech that is read in parts")
struct SpeechPartTests {
    /// Seconds with a voice and without, in turn.
    private static func voices(_ seconds: [Double]) -> [Bool] {
        seconds.enumerated().flatMap { index, length in
            Array(repeating: index % 2 == 0, count: Int((length / 0.032).rounded()))
        }
    }

    struct Cutting: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let seconds: [Double]
        /// Where parts begin, in tenths of a second; negative: the part overlaps.
        let starts: [Int]
    }

    static let cuttings = [
        Cutting(testDescription: "25 s are one part", seconds: [10, 1, 13.9], starts: [0]),
        Cutting(testDescription: "at the longest pause", seconds: [12, 0.3, 5, 0.6, 5, 0.4, 7], starts: [0, 176]),
        Cutting(testDescription: "at the last of equal pauses", seconds: [12, 0.32, 5, 0.32, 12], starts: [0, 175]),
        Cutting(testDescription: "not at an early pause", seconds: [5, 2, 15, 0.4, 10], starts: [0, 222]),
        Cutting(testDescription: "without a pause, overlapping", seconds: [30], starts: [0, -220]),
        Cutting(testDescription: "a gap in a word is not a pause", seconds: [15, 0.1, 14.9], starts: [0, -220]),
        Cutting(testDescription: "again and again", seconds: [60], starts: [0, -220, -440]),
        Cutting(testDescription: "a pause after an overlap", seconds: [40, 0.5, 20], starts: [0, -220, 403]),
        Cutting(testDescription: "nothing", seconds: [], starts: [0]),
    ]

    @Test("is cut at pauses, or overlaps", arguments: cuttings)
    func cutting(row: Cutting) {
        let voices = Self.voices(row.seconds)
        let parts = SpeechPart.parts(of: voices)
        let starts = parts.map { part in
            let tenths = (Double(part.windows.lowerBound) * 0.32).rounded()
            return Int(part.overlaps ? -tenths : tenths)
        }
        #expect(starts == row.starts)
        #expect(parts.first?.windows.lowerBound == 0 && parts.last?.windows.upperBound == voices.count)
        #expect(parts.allSatisfy { Double($0.windows.count) * 0.032 <= 25 })
        for (one, next) in zip(parts, parts.dropFirst()) {
            let common = one.windows.upperBound - next.windows.lowerBound
            #expect(next.overlaps ? (90...94).contains(common) : common == 0)
        }
    }

    /// The seam is at 23.5 s. Words take 0.4 s each; the left ones end at 25 s.
    struct Joining: CustomTestStringConvertible, Sendable {
        let left: String
        let right: String
        let start: Double
        let joined: String
        var testDescription: String { joined }
    }

    static let joinings = [
        Joining(
            left: "and then he went to the house of", right: "he went to the house of his father", start: 22.5,
            joined: "and then he went to the house of his father"),
        // Words at the parts' ends are incomplete.
        Joining(
            left: "and then he went to the house of his fat", right: "when to the house of his father again",
            start: 22.2,
            joined: "and then he went to the house of his father again"),
        // Read differently on both sides of a common phrase.
        Joining(
            left: "he wend to the house on his", right: "we went to the house of his father", start: 22.2,
            joined: "he wend to the house of his father"),
        Joining(
            left: "He said: The House.", right: "said the house was old", start: 23.5,
            joined: "He said: The house was old"),
        // What is said twice stays twice, also if times are not exact.
        Joining(
            left: "he was very very good", right: "very very good to me", start: 23.3,
            joined: "he was very very good to me"),
        // The same word at another time is a different word.
        Joining(
            left: "the one two three four five six seven eight nine ten", right: "nine ten the", start: 24.2,
            joined: "the one two three four five six seven eight nine ten the"),
        Joining(left: "", right: "right", start: 22, joined: "right"),
        Joining(left: "left", right: "", start: 22, joined: "left"),
    ]

    @Test("words of both parts are written once", arguments: joinings)
    func joining(row: Joining) {
        let left = row.left.split(separator: " "), right = row.right.split(separator: " ")
        let joined = WordSeam.joined(
            left.enumerated().map { word(String($1), at: 25 - 0.4 * Double(left.count - $0)) },
            right.enumerated().map { word(String($1), at: row.start + 0.4 * Double($0)) }, around: 23.5)
        #expect(joined.map(\.text).joined(separator: " ") == row.joined)
    }

    @Test("without a common word, each part has its side of the seam")
    func nothingCommon() {
        let left = ["one", "two", "three"].enumerated().map { word($1, at: 22.5 + 0.8 * Double($0)) }
        let right = ["four", "five", "six"].enumerated().map { word($1, at: 22.6 + 0.8 * Double($0)) }
        let joined = WordSeam.joined(left, right, around: 23.5)
        #expect(joined.map(\.text) == ["one", "two", "five", "six"])
    }

    private func word(_ text: String, at start: Double) -> PieceWord {
        PieceWord(text: text, start: start, end: start + 0.3)
    }
}
