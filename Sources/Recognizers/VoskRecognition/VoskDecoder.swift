import RecognizerWorker
import Speech

/// Decodes one utterance after the other, each from a fresh state, so that its words do not depend on what was said before. Use it
/// on one thread at a time; every call blocks.
final class VoskDecoder {
    /// Samples that are decoded at once: 100 ms.
    static let interval = 1_600

    /// How many further readings of each utterance are reported.
    var alternatives = 0
    /// Called once, at once, on the decoder's thread.
    var onFailure: (RecognitionError) -> Void = { _ in }

    private let model: VoskModel
    /// Of the current utterance, or of the next one: making it takes longer than a piece of audio should wait.
    private var recognizer: VoskRecognizer?
    /// What was recognised before the last pause of the utterance.
    private var settled: [TranscribedWord] = []
    private var hasFailed = false

    init(_ model: VoskModel) throws(RecognitionError) {
        self.model = model
        // The first decoding compiles the network's computations.
        guard let recognizer = model.recognizer() else { throw VoskResult.failed }
        _ = try recognizer.take([Int16](repeating: 0, count: 16_000))
        _ = try recognizer.end()
        self.recognizer = model.recognizer()
    }

    func begin() {
        if recognizer == nil { recognizer = model.recognizer() }
        settled = []
    }

    func feed(_ samples: [Int16]) {
        attempt { () throws(RecognitionError) in
            guard let recognizer else { throw VoskResult.failed }
            if let result = try recognizer.take(samples) { settled += result.words }
        }
    }

    /// The text of the utterance so far.
    var text: String {
        attempt { () throws(RecognitionError) in
            (settled.map(\.word) + [try recognizer?.partial() ?? ""]).joined(separator: " ")
        } ?? ""
    }

    /// - Returns: the words of the utterance, with times since its first sample.
    func end() -> [TranscribedWord] {
        attempt { () throws(RecognitionError) in
            guard let recognizer else { throw VoskResult.failed }
            let words = settled + (try recognizer.end().words)
            self.recognizer = nil
            return words
        } ?? []
    }

    /// Prepares for the next utterance.
    func renew() { recognizer = model.recognizer() }

    func words(in samples: [Int16]) -> [TranscribedWord] {
        begin()
        for piece in samples.pieces(of: Self.interval) { feed(piece) }
        return end()
    }

    func transcript(of utterance: Utterance) -> Transcript {
        transcript(of: utterance, words(in: utterance.samples))
    }

    /// - Parameter words: with times since the utterance's first sample.
    func transcript(of utterance: Utterance, _ words: [TranscribedWord]) -> Transcript {
        utterance.transcript(
            of: words.map { $0.later(by: utterance.start) },
            alternatives: otherReadings(of: utterance.samples, than: words.map(\.word).joined(separator: " ")))
    }

    /// What fits best of the sentences, or of other sequences of their words.
    func words(in samples: [Int16], of sentences: [String]) -> [TranscribedWord] {
        attempt { () throws(RecognitionError) in
            guard let recognizer = model.recognizer(of: sentences) else { throw VoskResult.failed }
            return try Self.read(samples, recognizer).flatMap(\.words)
        } ?? []
    }

    /// The library gives either confidences or alternatives.
    private func otherReadings(of samples: [Int16], than text: String) -> [String] {
        guard alternatives > 0, !text.isEmpty else { return [] }
        let found: [VoskResult]? = attempt { () throws(RecognitionError) in
            guard let recognizer = model.recognizer(alternatives: alternatives + 1) else { throw VoskResult.failed }
            return try Self.read(samples, recognizer)
        }
        // Where the utterance has a pause, readings of its parts cannot be combined.
        guard let readings = found, readings.count == 1 else { return [] }
        var others: [String] = []
        for other in readings[0].alternatives where !other.isEmpty && other != text && !others.contains(other) {
            others.append(other)
        }
        return Array(others.prefix(alternatives))
    }

    /// - Returns: of each part between pauses, those without words left out.
    private static func read(
        _ samples: [Int16], _ recognizer: VoskRecognizer
    ) throws(RecognitionError) -> [VoskResult] {
        var results: [VoskResult] = []
        for piece in samples.pieces(of: interval) {
            if let result = try recognizer.take(piece) { results.append(result) }
        }
        results.append(try recognizer.end())
        return results.filter { !$0.text.isEmpty }
    }

    /// Notes a failure, which must not look like speech without words.
    ///
    /// - Returns: `nil` after a failure.
    @discardableResult
    private func attempt<Value>(_ work: () throws(RecognitionError) -> Value) -> Value? {
        guard !hasFailed else { return nil }
        do throws(RecognitionError) {
            return try work()
        } catch {
            hasFailed = true
            onFailure(error)
            return nil
        }
    }
}

extension TranscribedWord {
    fileprivate func later(by seconds: Double) -> TranscribedWord {
        TranscribedWord(word: word, start: start + seconds, end: end + seconds, confidence: confidence)
    }
}

extension [Int16] {
    func pieces(of length: Int) -> [[Int16]] {
        stride(from: 0, to: count, by: length).map { Array(self[$0..<Swift.min($0 + length, count)]) }
    }
}
