import CPocketSphinx
import Foundation

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
