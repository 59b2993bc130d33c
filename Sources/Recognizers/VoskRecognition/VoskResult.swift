import Foundation
import Speech

/// What the library writes about speech, which is not trusted:
///
///     {"result": [{"conf": 0.83, "start": 0.45, "end": 0.81, "word": "오늘"}, …], "text": "오늘 …"}
///     {"partial": "오늘 …"}
///     {"alternatives": [{"confidence": 361.8, "result": [{"start": 0.45, "end": 0.81, "word": "오늘"}, …], "text": "오늘 …"}, …]}
struct VoskResult: Hashable {
    private struct Reading: Decodable {
        let result: [Word]?
        let text: String?
        let partial: String?
        let alternatives: [Reading]?
    }

    private struct Word: Decodable {
        let conf: Double?
        let start: Double
        let end: Double
        let word: String
    }

    /// Bytes. An utterance has at most some minutes.
    private static let longest = 1 << 20
    private static let mostWords = 5_000
    /// Bytes of a word.
    private static let longestWord = 200

    /// Times are seconds since the recogniser's first sample, in order.
    let words: [TranscribedWord]
    /// The best first; empty unless they were asked for.
    let alternatives: [String]
    let text: String

    /// - Throws: `decodingFailed` if it is something else.
    init(_ pointer: UnsafePointer<CChar>?) throws(RecognitionError) {
        guard let pointer else { throw Self.failed }
        let length = strnlen(pointer, Self.longest + 1)
        guard length <= Self.longest else { throw Self.failed }
        try self.init(json: Data(bytes: pointer, count: length))
    }

    init(json: Data) throws(RecognitionError) {
        guard let reading = try? JSONDecoder().decode(Reading.self, from: json) else { throw Self.failed }
        words = try Self.words(reading.result ?? reading.alternatives?.first?.result ?? [])
        alternatives = (reading.alternatives ?? []).prefix(RecognitionConfiguration.mostAlternatives + 1)
            .map { Self.text($0.text ?? "") }
        text =
            words.isEmpty
            ? Self.text(reading.text ?? reading.partial ?? "") : words.map(\.word).joined(separator: " ")
    }

    static let failed = RecognitionError(
        code: .decodingFailed,
        message: "Vosk could not decode the speech. See the service's log, then begin a new session.")

    private static func words(_ found: [Word]) throws(RecognitionError) -> [TranscribedWord] {
        guard found.count <= mostWords, found.allSatisfy({ $0.start.isFinite && $0.end.isFinite }) else { throw failed }
        return found.compactMap { item in
            spoken(item.word).map {
                TranscribedWord(
                    word: $0, start: max(item.start, 0), end: max(item.end, item.start, 0),
                    confidence: min(max(item.conf ?? 0, 0), 1))
            }
        }
    }

    private static func text(_ text: String) -> String {
        text.split(separator: " ").prefix(mostWords).compactMap { spoken($0) }.joined(separator: " ")
    }

    /// A word as it is written: some models have numbers as `[50]` and numerals as `(백)`.
    ///
    /// - Returns: `nil` for noises, such as `<UNK>` and `!SIL`, and for what has no letter or digit.
    static func spoken(_ word: some StringProtocol) -> String? {
        guard let first = word.unicodeScalars.first, word.utf8.count <= longestWord else { return nil }
        var scalars = Array(word.unicodeScalars)
        if first == "<" || first == "!" { return nil }
        if first == "[" || first == "(" {
            // `[noise]` and the like are not said.
            let inner = scalars.filter { !"[]()".unicodeScalars.contains($0) }
            guard first == "(" || inner.allSatisfy({ $0.properties.numericType != nil }) else { return nil }
            scalars = inner
        }
        scalars.removeAll { $0.properties.generalCategory == .control || $0.properties.isWhitespace }
        guard scalars.contains(where: { $0.properties.isAlphabetic || $0.properties.numericType != nil }) else {
            return nil
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
