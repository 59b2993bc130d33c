import CPocketSphinx
import Foundation
import RecognizerWorker
import Speech

/// A PocketSphinx decoder. Use it on one thread at a time; every call blocks.
final class Decoder {
    // Owned by this object alone, freed in deinit.
    let engine: OpaquePointer
    /// How many further readings of each utterance are reported.
    var alternatives = 0
    /// The first failure of the engine; what it found since is of no use.
    private(set) var failure: RecognitionError?
    /// Called once, at once, on the decoder's thread.
    var onFailure: (RecognitionError) -> Void = { _ in }
    /// Outside of an utterance the library does not refuse audio: an assertion may end the process.
    private var isInUtterance = false

    /// - Parameter isForDictation: no phrases and no grammar will be judged.
    init(model: Model, isForDictation: Bool = false) throws(RecognitionError) {
        let arguments =
            [
                "voicegate-recognizer", "-hmm", model.acousticModel, "-lm", model.languageModel,
                "-dict", model.dictionary,
            ] + Self.settings + (isForDictation ? [] : Self.settingsOfJudges)
        guard let engine = withCStrings(arguments, { vg_decoder_open(Int32(arguments.count), $0) }) else {
            throw RecognitionError(
                code: .modelUnavailable,
                message: "The recogniser refused the model \(model.acousticModel); install it again or name another.")
        }
        self.engine = engine
    }

    deinit { vg_decoder_close(engine) }

    func begin() { isInUtterance = check(vg_decoder_begin(engine)) }

    func feed(_ samples: [Int16]) {
        isInUtterance = check(isInUtterance ? vg_decoder_feed(engine, samples, samples.count) : -1)
    }

    /// Runs the later passes over what was fed.
    func end() {
        check(isInUtterance ? vg_decoder_end(engine) : -1)
        isInUtterance = false
    }

    /// Notes a failure, which must not look like speech without words.
    ///
    /// - Returns: whether the call succeeded.
    @discardableResult
    func check(_ result: Int32) -> Bool {
        guard result < 0 else { return true }
        guard failure == nil else { return false }
        let error = RecognitionError(
            code: .decodingFailed,
            message: "PocketSphinx could not decode the speech. See the service's log, then begin a new session.")
        failure = error
        onFailure(error)
        return false
    }

    /// The text so far of the current utterance.
    var text: String {
        // The library's string is copied before its next call.
        vg_decoder_text(engine).map { Vocabulary.text(of: String(cString: $0).split(separator: " ")) } ?? ""
    }

    /// Decodes an utterance as a whole.
    func segments(of samples: [Int16]) -> [Segment] {
        check(vg_decoder_whole(engine, samples, samples.count)) ? segments : []
    }

    /// The result for the utterance that ended last.
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
}

extension Decoder {
    /// One configuration for all sessions: the first pass keeps up with live speech, and the other two take less than a
    /// tenth of the audio's time at the end; see Benchmarks/README.md.
    static let settings = [
        "-lw", "6", "-fwdflatlw", "6", "-maxhmmpf", "4000",
        // Removed silence would shift the times of later words; utterances are cut before they come here.
        "-remove_silence", "no",
    ]

    /// Scores are relative to the best of the computed senones, so two readings of the same samples can be compared only if all
    /// are computed. That takes a sixth of the time and changes no words.
    private static let settingsOfJudges = ["-compallsen", "yes"]
}

extension Decoder {
    /// Applies a session's cepstral mean and words. Call it before the first utterance.
    func prepare(for configuration: RecognitionConfiguration) {
        if let mean = configuration.mean, !begin(with: mean) {
            EngineLog.write("warning", "The microphone's mean was learnt with another model and is not used.")
        }
        alternatives = configuration.alternatives
        // Phrases and grammars have their own words.
        if case .dictation = configuration.task, !configuration.userWords.isEmpty { learn(configuration.userWords) }
    }

    /// - Returns: whether the mean fits the model.
    private func begin(with mean: CepstralMean) -> Bool {
        vg_decoder_set_mean(engine, mean.values, Int32(mean.values.count), Double(mean.frames)) == 0
    }

    /// The mean of all that was fed, without the given one; `nil` if nothing was fed.
    var learnt: CepstralMean? {
        var values = [Float](repeating: 0, count: Int(vg_most_coefficients))
        var frames = 0.0
        let count = Int(vg_decoder_mean(engine, &values, &frames))
        return CepstralMean(values: Array(values.prefix(count)), frames: Int(frames))
    }
}

extension Decoder {
    /// The phones of a word, separated by spaces, or `nil` when it is not in the dictionary.
    func phones(of word: String) -> String? {
        guard let phones = vg_decoder_phones(engine, word) else { return nil }
        defer { free(phones) }
        return String(cString: phones)
    }

    /// Whether the dictionary has the word.
    func knows(_ word: String) -> Bool { phones(of: word) != nil }

    /// Learns the words, and how they follow each other. Not during an utterance.
    private func learn(_ words: UserWords) {
        let lesson = WordLesson(words) { self.phones(of: $0) }
        if lesson.unsayable > 0 {
            // The words themselves are private to the client.
            EngineLog.write(
                "warning", "\(lesson.unsayable) of the user's words have no pronunciation and are not used.")
        }
        if !learn(lesson) { EngineLog.write("error", "The recogniser refused the user's words; they are not used.") }
    }

    /// - Returns: `false` if the library refused; the dictionary may have grown by then.
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

    /// Decodes the utterance as a whole, its noise suppressed if needed.
    func transcript(of utterance: Utterance) -> Transcript {
        let decibels = NoiseMeter.decibels(of: utterance.samples)
        let isNoisy = NoiseSuppression.isNeeded(decibels: decibels)
        let segments = segments(of: isNoisy ? Suppressor.suppressed(utterance.samples) : utterance.samples)
        return utterance.transcript(of: segments, alternatives: otherReadings(than: segments), decibels: decibels)
    }

    /// Up to `alternatives` further readings of the utterance that ended last, the best first.
    ///
    /// - Parameter segments: its best reading.
    func otherReadings(than segments: [Segment]) -> [String] {
        guard alternatives > 0, failure == nil else { return [] }
        var found = AlternativeTexts(text: Vocabulary.text(of: segments.map(\.word)), most: alternatives)
        // Many readings differ in silences alone; after this many, others are not worth the time.
        withUnsafeMutablePointer(to: &found) {
            vg_decoder_alternatives(engine, Int32(50 * alternatives), $0) { context, text in
                guard let context, let text else { return 0 }
                return context.assumingMemoryBound(to: AlternativeTexts.self).pointee.take(String(cString: text))
                    ? 1 : 0
            }
        }
        return found.texts
    }
}

/// - Parameter body: gets an array of C strings that ends with a null pointer; valid during the body.
func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>?) -> Result
) -> Result {
    let copies = strings.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.withUnsafeBufferPointer { body($0.baseAddress) }
}
