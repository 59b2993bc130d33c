import CPocketSphinx
import Foundation
import Speech

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
