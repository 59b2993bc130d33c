import CPocketSphinx
import Foundation
import Speech

extension Decoder {
    /// The phones of a word with a space between two, or `nil` when the dictionary has none of it.
    func phones(of word: String) -> String? {
        guard let phones = vg_decoder_phones(engine, word) else { return nil }
        defer { free(phones) }
        return String(cString: phones)
    }

    /// Learns the words, and how they follow each other. Not while an utterance is begun.
    func learn(_ words: UserWords) {
        let lesson = WordLesson(words) { self.phones(of: $0) }
        if lesson.unsayable > 0 {
            // Not which: they are the client's.
            EngineLog.write(
                "warning", "\(lesson.unsayable) of the user's words have no pronunciation and are left out.")
        }
        if !learn(lesson) { EngineLog.write("error", "The recogniser did not take the user's words.") }
    }

    /// - Returns: whether it did; else the decoder is as it was, or knows more words.
    private func learn(_ lesson: WordLesson) -> Bool {
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
        let segments = segments(of: utterance.samples)
        return utterance.transcript(of: segments, alternatives: OtherReadings(pieces: [otherReadings(than: segments)]))
    }

    /// Further readings of the utterance that was ended last, the best first, as many as are told.
    ///
    /// - Parameter segments: how it was understood.
    func otherReadings(than segments: [Segment]) -> OtherReadings.Piece {
        let text = Vocabulary.text(of: segments.map(\.word))
        var found = AlternativeTexts(text: text, most: alternatives)
        guard alternatives > 0 else { return OtherReadings.Piece(text: text, others: []) }
        // Of readings that differ in silences alone there are many; after so many, others are not worth the time.
        withUnsafeMutablePointer(to: &found) {
            vg_decoder_alternatives(engine, Int32(50 * alternatives), $0) { context, text in
                guard let context, let text else { return 0 }
                return context.assumingMemoryBound(to: AlternativeTexts.self).pointee.take(String(cString: text))
                    ? 1 : 0
            }
        }
        return OtherReadings.Piece(text: text, others: found.texts)
    }
}
