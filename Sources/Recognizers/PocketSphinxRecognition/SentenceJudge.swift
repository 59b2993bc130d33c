import CPocketSphinx
import Foundation
import RecognizerWorker
import Speech

/// Decides whether an utterance is a sentence of a graph: one of some phrases, or what a grammar allows.
///
/// A search that knows only the graph finds a sentence in any speech (23 of 23 sentences of a book); free recognition finds
/// the spoken sentence in half the cases. So both run, the freely recognised text is also aligned with the audio, and the
/// sentence must fit about as well as that text does. Measured figures: Benchmarks/README.md.
struct SentenceJudge {
    /// How much worse than the free text a sentence may fit, in nats for each 10 ms.
    static let tolerance = 0.15

    /// Of words that the dictionary has.
    let graph: GrammarGraph
    let decoders: Decoders

    /// What was said. Waits for the decoder.
    func verdict(on samples: [Int16]) -> SpeechVerdict<[Segment]> {
        decoders.result { [graph] decoder -> SpeechVerdict<[Segment]> in
            let text = decoder.segments(of: samples).compactMap { Vocabulary.word($0.word) }
            // A noise is not a sentence, however well it fits one.
            guard !text.isEmpty else { return .noise }
            guard let candidate = decoder.reading(of: samples, as: graph) else { return .otherSpeech }
            if text != candidate.words {
                guard let free = decoder.reading(of: samples, as: GrammarGraph(phrases: [text])),
                    candidate.fit >= free.fit - Self.tolerance
                else { return .otherSpeech }
            }
            return .sentence(candidate.segments)
        } ?? .noise
    }
}

extension Decoder {
    /// A reading of an utterance as a graph's sentence.
    struct Reading: Hashable {
        let segments: [Segment]
        let words: [String]
        /// In nats for each 10 ms; comparable between readings of the same samples only.
        let fit: Double
    }

    /// The best-fitting sentence of the graph; `nil` when none fits, or the library refuses.
    ///
    /// - Parameter graph: of words that the dictionary has.
    func reading(of samples: [Int16], as graph: GrammarGraph) -> Reading? {
        guard expect(graph) else { return nil }
        defer { check(vg_decoder_expect_anything(engine)) }
        // Arcs without a word are segments, too (fsg_search.c, fsg_search_hyp).
        let segments = segments(of: samples).filter { $0.word != "(NULL)" }
        var fit = 0.0
        guard vg_decoder_fit(engine, &fit) == 0 else { return nil }
        let words = segments.compactMap { Vocabulary.word($0.word) }
        // An unfinished search gives the beginning of a sentence.
        guard !words.isEmpty, graph.accepts(words) else { return nil }
        return Reading(segments: segments, words: words, fit: fit)
    }

    /// How the words are said in the samples, in the dictionary's notation: which pronunciation of each, and silences
    /// between them; `nil` when something else is said.
    func alignment(of samples: [Int16], with words: [String]) -> [String]? {
        guard expect(GrammarGraph(phrases: [words])) else { return nil }
        defer { check(vg_decoder_expect_anything(engine)) }
        let entries = segments(of: samples).map(\.word).filter { Vocabulary.word($0) != nil || $0 == "<sil>" }
        return entries.compactMap { Vocabulary.word($0) } == words ? entries : nil
    }

    private func expect(_ graph: GrammarGraph) -> Bool {
        guard !graph.arcs.isEmpty else { return false }
        // The library copies the words.
        let words = graph.arcs.map { $0.word.flatMap { strdup($0) } }
        defer { for word in words { free(word) } }
        let arcs = zip(graph.arcs, words).map { arc, word in
            vg_arc(from: Int32(arc.from), to: Int32(arc.to), word: UnsafePointer(word), probability: arc.probability)
        }
        return check(vg_decoder_expect_graph(engine, Int32(graph.states), Int32(arcs.count), arcs))
    }
}
