import CPocketSphinx
import Foundation
import Speech

/// A PocketSphinx decoder. To be used on one thread at a time; every call blocks.
final class Decoder {
    // Owned by this object alone, freed in deinit.
    let engine: OpaquePointer
    /// How many further readings are told of each utterance.
    var alternatives = 0

    init(model: Model) throws(ModelError) {
        let arguments =
            [
                "voicegate-recognizer", "-hmm", model.acousticModel, "-lm", model.languageModel,
                "-dict", model.dictionary,
            ] + Self.settings
        guard let engine = Self.withCStrings(arguments, { vg_decoder_open(Int32(arguments.count), $0) }) else {
            throw ModelError(
                code: .refused,
                message: "The recogniser refused the model \(model.acousticModel); install it again or name another.")
        }
        self.engine = engine
    }

    deinit { vg_decoder_close(engine) }

    func begin() { _ = vg_decoder_begin(engine) }

    func feed(_ samples: [Int16]) { _ = vg_decoder_feed(engine, samples, samples.count) }

    /// Decodes what was fed once more, with all that the first pass found.
    func end() { _ = vg_decoder_end(engine) }

    /// What was understood so far of the utterance that was begun.
    var text: String {
        // The library's string is copied before its next call.
        vg_decoder_text(engine).map { Vocabulary.text(of: String(cString: $0).split(separator: " ")) } ?? ""
    }

    /// Decodes an utterance as a whole.
    func segments(of samples: [Int16]) -> [Segment] {
        vg_decoder_whole(engine, samples, samples.count) == 0 ? segments : []
    }

    /// What was understood of the utterance that was ended last.
    var segments: [Segment] {
        var segments: [Segment] = []
        // The context points to `segments` and is used within this call only.
        withUnsafeMutablePointer(to: &segments) {
            vg_decoder_segments(engine, $0) { context, segment in
                guard let context, let segment = segment?.pointee, let word = segment.word else { return }
                context.assumingMemoryBound(to: [Segment].self).pointee.append(
                    Segment(
                        word: String(cString: word), first: Int(segment.first), last: Int(segment.last),
                        posterior: segment.posterior))
            }
        }
        return segments
    }

    /// The C array and its strings live as long as the body.
    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var copies = strings.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("a decoder has arguments") }
            return body(UnsafePointer(base))
        }
    }
}

extension Decoder {
    /// One configuration for all: its first pass is fast enough to give the text while it is spoken, and what the other two
    /// add at the end takes about a thirtieth of the audio's time. Measured on read speech; see Benchmarks.
    static let settings = [
        "-lw", "6", "-fwdflatlw", "6", "-maxhmmpf", "4000",
        // Removed silence would shift the times of the words behind it; utterances are cut before they come here.
        "-remove_silence", "no",
        // Scores count from the best of the sounds that were looked at: only when all are, two readings of the same samples
        // can be compared.
        "-compallsen", "yes",
    ]
}

extension Decoder {
    /// Brings the decoder from the model's own state to that of a session; before its first utterance.
    func prepare(for configuration: RecognitionConfiguration, _ statistics: ModelStatistics) {
        if let transform = configuration.adaptation.transform, !statistics.apply(transform, to: self) {
            EngineLog.write("error", "The voice profile does not fit the model and is not used; enrol again.")
        }
        if let mean = configuration.adaptation.mean, !begin(with: mean) {
            EngineLog.write("warning", "The microphone's mean was learnt with another model and is left out.")
        }
        alternatives = configuration.alternatives
        // Phrases and grammars have words of their own.
        if case .dictation = configuration.task, !configuration.userWords.isEmpty { learn(configuration.userWords) }
    }

    /// - Returns: whether the mean fits the model.
    private func begin(with mean: CepstralMean) -> Bool {
        vg_decoder_set_mean(engine, mean.values, Int32(mean.values.count), Double(mean.frames)) == 0
    }

    /// The mean of all that was fed, without the one that was given; `nil` before there was anything.
    var learnt: CepstralMean? {
        var values = [Float](repeating: 0, count: Int(vg_most_coefficients))
        var frames = 0.0
        let count = Int(vg_decoder_mean(engine, &values, &frames))
        return CepstralMean(values: Array(values.prefix(count)), frames: Int(frames))
    }
}

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

/// A piece of a hypothesis as the library gives it: words, silences and noises. Frames are 10 ms of the utterance.
struct Segment: Hashable {
    let word: String
    let first: Int
    let last: Int
    let posterior: Double

    func moved(by frames: Int) -> Segment {
        Segment(word: word, first: first + frames, last: last + frames, posterior: posterior)
    }
}

/// How likely a word is to be right.
///
/// The engine's posterior probability orders words well and is no probability. The table's ends were measured on 917 words of
/// people reading (LibriVox, LJ Speech, Harvard sentences, commands): of the words with 0 to 0.2, 45 in 100 were right, of
/// those with 0.99 and more, 95. Between them it follows what `Benchmarks/context.py --fit` finds in 70 words of LibriVox
/// (pool adjacent violators: the share of right words never falls): few words, so read the middle as a guide.
enum Confidence {
    /// Posterior → share of right words, both growing.
    private static let table: [(posterior: Double, right: Double)] = [
        (0, 0.4), (0.2, 0.5), (0.5, 0.72), (0.8, 0.83), (0.99, 0.95), (1, 0.97),
    ]

    /// - Parameter posterior: as the engine gives it; what is no number counts as 0.
    static func ofWord(posterior: Double) -> Double {
        guard posterior > 0 else { return table[0].right }
        for (low, high) in zip(table, table.dropFirst()) where posterior <= high.posterior {
            let share = (posterior - low.posterior) / (high.posterior - low.posterior)
            return low.right + share * (high.right - low.right)
        }
        return table[table.count - 1].right
    }
}

extension Decoder {
    /// How many values each feature stream of the model has.
    var streams: [Int] {
        var lengths = [Int32](repeating: 0, count: 16)
        let count = Int(vg_decoder_streams(engine, &lengths, Int32(lengths.count)))
        return lengths.prefix(count).map(Int.init)
    }

    /// Hears with a transform of the model's means from now on.
    ///
    /// - Parameters:
    ///   - path: of the matrix; it must fit the model.
    ///   - statistics: by which names the model's files can be opened; `nil`: as when it was loaded.
    func adapt(matrix path: String, statistics: (means: String, variances: String)? = nil) -> Bool {
        vg_decoder_adapt(engine, path, statistics?.means, statistics?.variances) == 0
    }

    /// Writes the cepstra of the samples for sphinxtrain.
    ///
    /// - Returns: the number of frames; `nil`: they cannot be written.
    func writeCepstra(of samples: [Int16], to path: String) -> Int? {
        let frames = vg_decoder_write_cepstra(engine, samples, samples.count, path)
        return frames < 0 ? nil : Int(frames)
    }

    /// How the words are said in the samples, in the dictionary's notation: which pronunciation of each, and silences
    /// between them. `nil` when something else is said.
    func alignment(of samples: [Int16], with words: [String]) -> [String]? {
        guard expect([words]) else { return nil }
        defer { _ = vg_decoder_expect_anything(engine) }
        let entries = segments(of: samples).map(\.word).filter { Vocabulary.word($0) != nil || $0 == "<sil>" }
        return entries.compactMap { Vocabulary.word($0) } == words ? entries : nil
    }
}

extension Decoder {
    /// How many words of a recording are wrong when it is decoded as any utterance is.
    func errors(in recording: Recording) -> Int {
        WordDistance.errors(
            reference: recording.words,
            hypothesis: segments(of: recording.samples).compactMap { Vocabulary.word($0.word) })
    }
}
