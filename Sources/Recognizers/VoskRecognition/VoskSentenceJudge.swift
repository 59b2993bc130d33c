import Base
import Foundation
import RecognizerWorker
import Speech

/// Decides whether an utterance is a sentence of a graph: one of some phrases, or what a grammar allows.
///
/// The library's own grammar prefers the sentences, and also finds other sequences of their words: other speech becomes one of
/// those, which is not a sentence. Noise and a cough may become a short one, so what is freely recognised must sound like it.
struct VoskSentenceJudge: Sendable {
    /// The share of letters (of Hangul: of a syllable's parts) that may differ. Of three phrases of two people the free text
    /// differed by 0.15 to 0.5, of those of a synthetic voice by up to 0.6; of noise that was taken for a phrase of two syllables by 0.86.
    private static let tolerance = 0.6

    let graph: GrammarGraph
    /// For the library.
    let sentences: [String]
    let decoders: DecoderThreads<VoskDecoder>

    /// What was said, as words of the graph. Waits for the decoder.
    func verdict(on utterance: Utterance) -> SpeechVerdict<[TranscribedWord]> {
        decoders.result { [self] decoder -> SpeechVerdict<[TranscribedWord]> in
            let heard = decoder.words(in: utterance.samples).map(\.word).joined()
            guard !heard.isEmpty else { return .noise }
            let pieces = decoder.words(in: utterance.samples, of: sentences)
            guard let words = graph.words(in: pieces.map { $0.word.lowercased() }.joined()), !words.isEmpty,
                Self.difference(words.joined(), heard) <= Self.tolerance
            else { return .otherSpeech }
            return .sentence(Self.placed(words, in: pieces, at: utterance.start))
        } ?? .noise
    }

    /// 0…1.
    static func difference(_ said: String, _ heard: String) -> Double {
        let (said, heard) = (sounds(of: said), sounds(of: heard))
        let longest = max(said.count, heard.count)
        return longest == 0 ? 1 : Double(WordDistance.errors(reference: said, hypothesis: heard)) / Double(longest)
    }

    private static func sounds(of text: String) -> [String] {
        text.lowercased().decomposedStringWithCanonicalMapping.unicodeScalars
            .filter { $0.properties.isAlphabetic || $0.properties.numericType != nil }.map { String($0) }
    }

    /// Gives each word the time of the pieces that it has letters of.
    private static func placed(
        _ words: [String], in pieces: [TranscribedWord], at start: Double
    ) -> [TranscribedWord] {
        let letters = pieces.flatMap { piece in piece.word.map { _ in piece } }
        var place = 0
        return words.map { word in
            let own = letters[min(place, letters.count)..<min(place + word.count, letters.count)]
            place += word.count
            return TranscribedWord(
                word: word, start: start + (own.first?.start ?? 0), end: start + (own.last?.end ?? 0),
                confidence: own.map(\.confidence).min() ?? 0)
        }
    }
}
