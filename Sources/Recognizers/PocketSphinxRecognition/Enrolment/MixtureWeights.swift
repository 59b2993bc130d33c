import Foundation

/// An acoustic model's `sendump`, rewritten from PocketSphinx's quantised form into the `mixture_weights` that sphinxtrain
/// reads.
///
/// A sendump (pocketsphinx, `ptm_mgau.c`, `read_sendump`): strings, each with its length before it, of which
/// `feature_count N` is of use, up to a length of 0; rows (densities) and columns (states); then for each stream and
/// density a byte for each state, the weight's logarithm to the base 1.0001 divided by −1024. Those of clusters, which
/// have `cluster_count` other than 0, are not read.
///
/// Mixture weights (sphinxbase, `bio.c`): a header in text, a number that tells the byte order, states, streams,
/// densities, their product, and the weights as float32.
struct MixtureWeights {
    private static let step = 1_024 * log(1.0001)

    private let bytes: [UInt8]

    init(sendump bytes: [UInt8]) { self.bytes = bytes }

    /// `nil` when it is damaged or of a kind that is not read.
    func rewritten() -> [UInt8]? {
        var reader = ByteReader(bytes)
        var streams = 1
        while let length = reader.count(4_096) {
            if length == 0 { break }
            guard let line = reader.take(length) else { return nil }
            let words = String(decoding: line.dropLast(), as: UTF8.self).split(separator: " ")
            guard words.count == 2, let number = Int(words[1]) else { continue }
            if words[0] == "feature_count" { streams = number }
            if words[0] == "cluster_count", number != 0 { return nil }
        }
        guard (1...16).contains(streams), let densities = reader.count(4_096), let states = reader.count(65_536),
            densities > 0, states > 0, let weights = reader.take(streams * densities * states)
        else { return nil }
        let values = (0..<256).map { Float(exp(-Double($0) * Self.step)) }
        var result = Array("s3\nversion 1.0\nendhdr\n".utf8)
        let header = result.count + 20
        result.reserveCapacity(header + 4 * weights.count)
        func add(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { result += $0 } }
        // Read back in the order of the machine that writes it: little-endian on all that this runs on.
        for number in [0x1122_3344, states, streams, densities, weights.count] { add(UInt32(number)) }
        weights.withUnsafeBufferPointer { source in
            for state in 0..<states {
                for row in 0..<streams * densities { add(values[Int(source[row * states + state])].bitPattern) }
            }
        }
        return result
    }
}
