import CPocketSphinx
import Foundation

extension Decoder {
    /// A reading of an utterance, and how well it fits: only differences between readings of the same samples mean
    /// something, in nats for each 10 ms.
    struct Reading: Hashable {
        let words: [String]
        let fit: Double
    }

    /// Whether the dictionary has the word.
    func knows(_ word: String) -> Bool { vg_decoder_knows(engine, word) != 0 }

    /// Reads the utterance as the one of the phrases that it fits best; `nil` when it fits none, or the library refuses.
    func reading(of samples: [Int16], as phrases: [[String]]) -> Reading? {
        guard expect(phrases) else { return nil }
        defer { _ = vg_decoder_expect_anything(engine) }
        let segments = segments(of: samples)
        var fit = 0.0
        guard vg_decoder_fit(engine, &fit) == 0 else { return nil }
        let words = segments.compactMap { Vocabulary.word($0.word) }
        // A search that did not come to an end gives the beginning of a phrase.
        return phrases.contains(words) ? Reading(words: words, fit: fit) : nil
    }

    func expect(_ phrases: [[String]]) -> Bool {
        let lengths = phrases.map { Int32($0.count) }
        guard !phrases.isEmpty, lengths.allSatisfy({ $0 > 0 }) else { return false }
        // The library copies the words.
        let words = phrases.joined().map { strdup($0) }
        defer { for word in words { free(word) } }
        return words.map { UnsafePointer($0) }.withUnsafeBufferPointer {
            vg_decoder_expect(engine, Int32(phrases.count), lengths, $0.baseAddress) == 0
        }
    }
}
