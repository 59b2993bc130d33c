import CPocketSphinx
import Foundation
import RecognizerProtocol
import Speech

/// Tells of what a judge finds in each utterance, phrases or what a grammar allows, and of nothing else that is said.
final class JudgedSession: Listener {
    /// What may be told of an utterance, in order and without overlaps. Waits for the decoder.
    typealias Judge = (Utterance) -> [Transcript]

    private let judge: Judge
    private let outbox: Outbox
    private var cutter: UtteranceCutter
    private var utterances = 0
    private var told = 0

    init(configuration: RecognitionConfiguration, outbox: Outbox, judge: @escaping Judge) {
        self.judge = judge
        self.outbox = outbox
        self.cutter = UtteranceCutter(settings: Endpointer.Settings(pause: configuration.endSilence))
    }

    func take(_ samples: [Int16], at position: Int64) {
        handle(cutter.take(samples, at: position))
        outbox.progress(LiveSession.seconds(cutter.position))
    }

    func finish() {
        handle(cutter.finish())
        outbox.finished(duration: LiveSession.seconds(cutter.position))
    }

    private func handle(_ events: [UtteranceCutter.Event]) {
        for event in events {
            guard case .ended(let position, let samples) = event else { continue }
            let start = LiveSession.seconds(position - Int64(samples.count))
            for transcript in judge(Utterance(number: utterances, start: start, samples: samples)) {
                outbox.speechStarted(told, at: transcript.start)
                outbox.final(told, transcript)
                told += 1
            }
            utterances += 1
        }
    }
}

/// Decides whether an utterance is one of the phrases.
///
/// A search that knows the phrases alone makes one of them of anything (23 of 23 sentences of a book); a text that was
/// understood freely is one of them only in half the cases in which one was said. So both are made, the freely understood
/// text is read into the audio word for word, too, and the phrase must fit the audio about as well as that does. Measured
/// figures: Benchmarks/README.md.
struct PhraseJudge {
    /// How much worse than the free text a phrase may fit, in nats for each 10 ms.
    static let tolerance = 0.15

    let book: PhraseBook
    private let finalPass: FinalPass

    /// - Throws: `phraseRefused` naming a word that the model does not know.
    init(book: PhraseBook, finalPass: FinalPass) throws(RecognitionError) {
        let unknown = finalPass.result { decoder in book.spoken.joined().first { !decoder.knows($0) } }
        if let unknown { throw PhraseBook.unknown(unknown) }
        self.book = book
        self.finalPass = finalPass
    }

    /// The phrase that was said, as its client wrote it, or `nil`. Waits for it.
    func phrase(in samples: [Int16], tolerance: Double = Self.tolerance) -> String? {
        finalPass.result { [book] in Self.phrase(in: samples, of: book, tolerance: tolerance, $0) }
    }

    private static func phrase(
        in samples: [Int16], of book: PhraseBook, tolerance: Double, _ decoder: Decoder
    ) -> String? {
        guard let candidate = decoder.reading(of: samples, as: book.spoken) else { return nil }
        let text = decoder.segments(of: samples).compactMap { Vocabulary.word($0.word) }
        // A noise is no phrase, however well it fits one.
        guard !text.isEmpty else { return nil }
        if text != candidate.words {
            guard let free = decoder.reading(of: samples, as: [text]), candidate.fit >= free.fit - tolerance
            else { return nil }
        }
        return book.phrase(candidate.words.joined(separator: " "))
    }
}

/// Finds the phrases within an utterance.
///
/// The words that were understood freely tell where to look: a phrase is tried on each stretch of about as many words as
/// it has, and must fit the stretch about as well as those words do.
struct KeyPhraseJudge {
    /// A place in the utterance, in frames of 10 ms.
    struct Finding: Hashable {
        let phrase: String
        let frames: Range<Int>
    }

    private static let frameLength = 160
    /// Sounds of neighbouring words run into each other.
    private static let margin = 4

    private let phrases: [(words: [String], phrase: KeyPhrase)]
    private let finalPass: FinalPass

    /// - Throws: `phraseRefused` naming a phrase, or a word that the model does not know.
    init(phrases: [KeyPhrase], finalPass: FinalPass) throws(RecognitionError) {
        let book = try PhraseBook(phrases.map(\.text))
        // Refuses what the model does not know.
        _ = try PhraseJudge(book: book, finalPass: finalPass)
        self.phrases = phrases.map { (PhraseBook.words(of: $0.text), $0) }
        self.finalPass = finalPass
    }

    /// What was found as it is told: each phrase as its client wrote it, at its place in the session.
    func transcripts(of utterance: Utterance) -> [Transcript] {
        var latest = utterance.start
        return findings(in: utterance.samples).map { finding in
            let start = min(max(latest, utterance.start + Double(finding.frames.lowerBound) / 100), utterance.end)
            let end = min(max(start, utterance.start + Double(finding.frames.upperBound) / 100), utterance.end)
            latest = end
            return Transcript(text: finding.phrase, start: start, end: end, words: [])
        }
    }

    /// What was found, in order, without overlaps. Waits for it.
    func findings(in samples: [Int16]) -> [Finding] {
        finalPass.result { [phrases] in Self.findings(in: samples, of: phrases, $0) } ?? []
    }

    private static func findings(
        in samples: [Int16], of phrases: [(words: [String], phrase: KeyPhrase)], _ decoder: Decoder
    ) -> [Finding] {
        let heard = decoder.segments(of: samples).compactMap { segment in
            Vocabulary.word(segment.word).map { (word: $0, first: segment.first, last: segment.last) }
        }
        var findings: [Finding] = []
        for (words, phrase) in phrases {
            var start = 0
            while start < heard.count {
                // As it was understood, else one word more or less: a wrong word is often two, or half of one.
                let lengths = [words.count, words.count + 1, words.count - 1].filter {
                    $0 > 0 && start + $0 <= heard.count
                }
                let found = lengths.first { length in
                    let stretch = heard[start..<start + length]
                    if stretch.map(\.word) == words { return true }
                    let piece = piece(of: samples, heard[start].first, stretch.last?.last)
                    return fits(stretch.map(\.word), phrase, words, piece, decoder)
                }
                guard let found else {
                    start += 1
                    continue
                }
                findings.append(
                    Finding(phrase: phrase.text, frames: heard[start].first..<heard[start + found - 1].last + 1))
                start += found
            }
        }
        return findings.sorted { $0.frames.lowerBound < $1.frames.lowerBound }
    }

    private static func fits(
        _ heard: [String], _ phrase: KeyPhrase, _ words: [String], _ samples: [Int16], _ decoder: Decoder
    ) -> Bool {
        guard let reading = decoder.reading(of: samples, as: [words]),
            let free = decoder.reading(of: samples, as: [heard])
        else { return false }
        return reading.fit >= free.fit - phrase.tolerance
    }

    private static func piece(of samples: [Int16], _ first: Int, _ last: Int?) -> [Int16] {
        let start = max(0, first - margin) * frameLength
        let end = min(samples.count, ((last ?? first) + 1 + margin) * frameLength)
        return start < end ? Array(samples[start..<end]) : []
    }
}

/// Decides whether an utterance is something that the grammar allows; as `PhraseJudge` does, and for the same reason.
struct GrammarJudge {
    private let grammar: Grammar
    private let finalPass: FinalPass

    /// - Throws: `grammarRefused` naming a word that the model does not know.
    init(grammar: Grammar, finalPass: FinalPass) throws(RecognitionError) {
        let words = grammar.words.sorted()
        if let unknown = finalPass.result({ decoder in words.first { !decoder.knows($0) } }) {
            throw Grammar.unknown(unknown)
        }
        self.grammar = grammar
        self.finalPass = finalPass
    }

    /// What was said, word by word, or `nil` when the grammar does not allow it. Waits for it.
    func transcript(of utterance: Utterance) -> Transcript? {
        finalPass.result { [grammar] in Self.transcript(of: utterance, in: grammar, $0) }
    }

    private static func transcript(
        of utterance: Utterance, in grammar: Grammar, _ decoder: Decoder
    ) -> Transcript? {
        guard let (segments, candidate) = decoder.segments(of: utterance.samples, as: grammar.graph) else { return nil }
        let text = decoder.segments(of: utterance.samples).compactMap { Vocabulary.word($0.word) }
        // A noise is no sentence, however well it fits one.
        guard !text.isEmpty else { return nil }
        if text != candidate.words {
            guard let free = decoder.reading(of: utterance.samples, as: [text]),
                candidate.fit >= free.fit - PhraseJudge.tolerance
            else { return nil }
        }
        return utterance.transcript(of: segments)
    }
}

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

extension Decoder {
    /// Reads the utterance as what the grammar allows that it fits best; `nil` when it fits none of it, or the library
    /// refuses. Only for a decoder of the purpose `accurate`.
    ///
    /// - Parameter graph: of words that the dictionary has.
    func segments(of samples: [Int16], as graph: GrammarGraph) -> (segments: [Segment], reading: Reading)? {
        guard expect(graph) else { return nil }
        defer { _ = vg_decoder_expect_anything(engine) }
        // Ways without a word are segments, too (fsg_search.c, fsg_search_hyp and its like).
        let segments = segments(of: samples).filter { $0.word != "(NULL)" }
        var fit = 0.0
        guard vg_decoder_fit(engine, &fit) == 0 else { return nil }
        let words = segments.compactMap { Vocabulary.word($0.word) }
        // A search that did not come to an end gives the beginning of a sentence.
        guard !words.isEmpty, graph.accepts(words) else { return nil }
        return (segments, Reading(words: words, fit: fit))
    }

    private func expect(_ graph: GrammarGraph) -> Bool {
        // The library copies the words.
        let words = graph.arcs.map { $0.word.flatMap { strdup($0) } }
        defer { for word in words { free(word) } }
        let arcs = zip(graph.arcs, words).map { arc, word in
            vg_arc(from: Int32(arc.from), to: Int32(arc.to), word: UnsafePointer(word), probability: arc.probability)
        }
        return vg_decoder_expect_graph(engine, Int32(graph.states), Int32(arcs.count), arcs) == 0
    }
}

/// Other readings of an utterance that was decoded piece by piece: each differs from its text in one piece.
struct OtherReadings: Sendable, Hashable {
    struct Piece: Sendable, Hashable {
        let text: String
        /// Without the text, the best first.
        let others: [String]
    }

    let pieces: [Piece]

    /// The second best of each piece before the third best of any; as many as the piece with the most has.
    var texts: [String] {
        let most = pieces.map(\.others.count).max() ?? 0
        var texts: [String] = []
        for rank in 0..<most {
            for (place, piece) in pieces.enumerated() where rank < piece.others.count {
                let words = pieces.enumerated().map { $0 == place ? piece.others[rank] : $1.text }
                texts.append(words.filter { !$0.isEmpty }.joined(separator: " "))
            }
        }
        return Array(texts.prefix(most))
    }
}

/// What became of an utterance: its transcript or, where the engine cannot be trusted with so much noise, that and a
/// transcript without words.
struct Understanding: Sendable {
    let transcript: Transcript
    /// Decibels of speech over noise, where that is to be told first.
    let noise: Double?

    /// - Parameter decibels: of the utterance's speech above its noise.
    init(_ transcript: Transcript, decibels: Double) {
        // What has no words is no nonsense, but a cough or a door.
        let isNoisy = decibels < NoiseMeter.needed && !transcript.text.isEmpty
        self.transcript = isNoisy ? transcript.withoutWords : transcript
        self.noise = isNoisy ? decibels : nil
    }
}

extension Decoder {
    /// Decodes the utterance as a whole, its noise suppressed where that helps.
    func understanding(of utterance: Utterance) -> Understanding {
        let decibels = NoiseMeter.decibels(of: utterance.samples)
        guard NoiseSuppression.isNeeded(decibels: decibels) else {
            return Understanding(transcript(of: utterance), decibels: decibels)
        }
        let quieter = Utterance(
            number: utterance.number, start: utterance.start, samples: Suppressor.suppressed(utterance.samples))
        return Understanding(transcript(of: quieter), decibels: decibels)
    }
}

/// Collects readings of an utterance that differ in their words.
struct AlternativeTexts {
    private let text: String
    private let most: Int
    private(set) var texts: [String] = []

    init(text: String, most: Int) {
        self.text = text
        self.most = most
    }

    /// - Parameter reading: in the library's notation.
    /// - Returns: whether more are wanted.
    mutating func take(_ reading: String) -> Bool {
        let words = Vocabulary.text(of: reading.split(separator: " "))
        if !words.isEmpty, words != text, !texts.contains(words) { texts.append(words) }
        return texts.count < most
    }
}
