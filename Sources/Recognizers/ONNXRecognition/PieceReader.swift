import RecognizerWorker
import Speech

/// A word of a piece of speech; times are seconds since the piece's first sample.
struct PieceWord: Sendable, Hashable {
    let text: String
    let start: Double
    let end: Double
}

/// What was heard in a piece of speech, or in several.
struct PieceText: Sendable, Hashable {
    var words: [PieceWord] = []
    /// Seconds with a voice.
    var voice = 0.0

    /// - Parameter offset: seconds of the utterance before the other piece.
    mutating func append(_ other: PieceText, offset: Double) {
        words += other.words.map { PieceWord(text: $0.text, start: offset + $0.start, end: offset + $0.end) }
        voice += other.voice
    }
}

extension Utterance {
    /// The share of words that are right, of 2,028 of 18 speakers; the model reports nothing about a word.
    private static var confidence: Double { 0.92 }

    /// - Parameter text: with times since the utterance's start.
    func transcript(of text: PieceText, decibels: Double) -> Transcript {
        let isSaid = SpokenText.isSaid(text.words.count, voice: text.voice, decibels: decibels)
        let words = (isSaid ? text.words : []).map {
            TranscribedWord(
                word: $0.text, start: start + $0.start, end: start + $0.end, confidence: Self.confidence)
        }
        return transcript(of: words, decibels: decibels, needed: SpokenText.neededDecibels)
    }
}

/// Turns pieces of speech into words. Use it on one thread at a time.
final class PieceReader: @unchecked Sendable {
    // Safe: made on the main thread, and from then on used only by the thread that it is given to.

    /// Windows with a voice that a piece must have; the model makes words of noise and of silence.
    private static let fewestVoices = 5
    /// Samples before the first voice that are decoded: 0.38 s. With 0.1 s more or less there are a tenth more errors.
    private static let lead = 6_080
    /// Samples of the shortest piece that is decoded in halves.
    private static let shortest = 2 * 16_000

    private let model: SpeechModel
    private let detector: VoiceDetector

    init(_ model: SpeechModel, _ detector: VoiceDetector) {
        self.model = model
        self.detector = detector
    }

    /// Decodes a second of silence, whatever the detector says.
    func warmUp() throws(RecognitionError) {
        let silence = [Float](repeating: 0, count: 16_000)
        _ = detector.voices(in: silence)
        _ = try model.text(of: silence[...])
    }

    /// Each word has a share of the time with a voice, in proportion to its length: the model reports no times. More than the model
    /// reads well is read in parts.
    func text(of samples: [Int16]) throws(RecognitionError) -> PieceText {
        let audio = samples.map { Float($0) / 32_768 }
        let voices = detector.voices(in: audio)
        let windowLength = Double(VoiceDetector.window) / 16_000
        var found = PieceText(voice: windowLength * Double(voices.count { $0 }))
        for part in SpeechPart.parts(of: voices) {
            let isLast = part.windows.upperBound == voices.count
            let end = isLast ? audio.count : part.windows.upperBound * VoiceDetector.window
            let more = try words(
                of: audio[part.windows.lowerBound * VoiceDetector.window..<end], voices: Array(voices[part.windows]))
            found.words = part.overlaps ? WordSeam.joined(found.words, more, around: part.seam) : found.words + more
        }
        return found
    }

    /// - Returns: with times since the first sample of the piece whose part `audio` is.
    private func words(of audio: ArraySlice<Float>, voices: [Bool]) throws(RecognitionError) -> [PieceWord] {
        guard let first = voices.firstIndex(of: true), voices.count(where: { $0 }) >= Self.fewestVoices else {
            return []
        }
        let start = max(0, first * VoiceDetector.window - Self.lead)
        let before = Double(audio.startIndex) / 16_000
        return WordTimes.placed(
            try words(of: audio.dropFirst(start)), in: voices, windowLength: Double(VoiceDetector.window) / 16_000
        ).map { PieceWord(text: $0.text, start: before + $0.start, end: before + $0.end) }
    }

    /// A text that cannot have been said is decoded again in halves, and what remains of it is cut.
    private func words(of audio: ArraySlice<Float>) throws(RecognitionError) -> [String] {
        let words = SpokenText.words(in: try model.text(of: audio))
        let seconds = Double(audio.count) / 16_000
        guard !SpokenText.isPossible(words, in: seconds) else { return words }
        guard audio.count >= Self.shortest else {
            EngineLog.write("warning", "The model repeated itself; the text of \(seconds) s was cut.")
            return SpokenText.cut(words, to: seconds)
        }
        let middle = QuietPlace.index(
            in: audio, within: audio.startIndex + audio.count / 3..<audio.endIndex - audio.count / 3)
        return try self.words(of: audio[..<middle]) + self.words(of: audio[middle...])
    }
}
