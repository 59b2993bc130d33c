import CPocketSphinx
import Foundation
import Speech

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
