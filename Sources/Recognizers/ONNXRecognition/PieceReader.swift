import RecognizerWorker
import Speech

/// A word of a piece of speech; times are seconds since the piece's first sample.
struct PieceWord: Sendable, Hashable {
    let text: String
    let start: Double
    let end: Double
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

    /// Each word has a share of the time with a voice, in proportion to its length: the model reports no times.
    func words(of samples: [Int16]) throws(RecognitionError) -> [PieceWord] {
        let audio = samples.map { Float($0) / 32_768 }
        let voices = detector.voices(in: audio)
        guard let first = voices.firstIndex(of: true), voices.count(where: { $0 }) >= Self.fewestVoices else {
            return []
        }
        let start = max(0, first * VoiceDetector.window - Self.lead)
        return WordTimes.placed(
            try words(of: audio[start...]), in: voices, windowLength: Double(VoiceDetector.window) / 16_000)
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
