import CPocketSphinx
import Foundation
import Recognition

extension Decoder {
    /// The phones of a word with a space between two, or `nil` when the dictionary has none of it.
    func phones(of word: String) -> String? {
        guard let phones = vg_decoder_phones(engine, word) else { return nil }
        defer { free(phones) }
        return String(cString: phones)
    }

    /// Learns the words, and how they follow each other. Not while an utterance is begun.
    ///
    /// - Returns: whether it did; else the decoder is as it was, or knows more words.
    func learn(_ lesson: WordLesson) -> Bool {
        guard !lesson.model.isEmpty else { return true }
        let arpa = lesson.model.arpa
        // The library copies the strings.
        let entries = lesson.pronunciations.filter { !$0.phones.isEmpty }.map { (strdup($0.word), strdup($0.phones)) }
        defer {
            for (word, phones) in entries {
                free(word)
                free(phones)
            }
        }
        let words = entries.map { vg_pronunciation(word: UnsafePointer($0), phones: UnsafePointer($1)) }
        return vg_decoder_learn(engine, Int32(words.count), words, arpa, arpa.count, WordLesson.share) == 0
    }

    /// Decodes the utterance as a whole, with as many further readings as are told.
    func transcript(of utterance: Utterance) -> Transcript {
        let best = utterance.transcript(of: segments(of: utterance.samples))
        let others = alternatives(to: best.text, most: alternatives)
        return Transcript(
            text: best.text, start: best.start, end: best.end, words: best.words, alternatives: others)
    }

    /// Further readings of the utterance that was decoded last, the best first, without the text itself.
    func alternatives(to text: String, most: Int) -> [String] {
        guard most > 0 else { return [] }
        // Of readings that differ in silences alone there are many; after so many, others are not worth the time.
        var found = AlternativeTexts(text: text, most: most)
        withUnsafeMutablePointer(to: &found) {
            vg_decoder_alternatives(engine, Int32(50 * most), $0) { context, text in
                guard let context, let text else { return 0 }
                return context.assumingMemoryBound(to: AlternativeTexts.self).pointee.take(String(cString: text)) ? 1 : 0
            }
        }
        return found.texts
    }
}
