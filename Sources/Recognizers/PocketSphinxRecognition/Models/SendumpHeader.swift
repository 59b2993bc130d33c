import Foundation

/// What a sendump says of itself; see `MixtureWeights` for its form.
struct SendumpHeader: Hashable {
    let streams: Int
    let densities: Int
    let states: Int

    /// `nil` when it is damaged, or the weights behind it are not as many.
    init?(_ data: Data) {
        // The strings are short; what comes behind them is not looked at.
        var reader = ByteReader([UInt8](data.prefix(16_384)))
        var (streams, clusters, bits) = (1, 0, 8)
        var named: [String: Int] = [:]
        var count = 0
        while true {
            guard let length = reader.count(999) else { return nil }
            if length == 0 { break }
            // The first two are ended by 0, and the library insists on it; what fills up the header is not.
            guard let line = reader.take(length), count > 1 || line.last == 0 else { return nil }
            count += 1
            let words = String(decoding: line, as: UTF8.self).split { $0 == " " || $0 == "\0" }
            guard words.count == 2, let number = Int(words[1]) else { continue }
            named[String(words[0])] = number
        }
        streams = named["feature_count"] ?? streams
        clusters = named["cluster_count"] ?? clusters
        bits = named["cluster_bits"] ?? bits
        guard (1...16).contains(streams), [0, 15, 16].contains(clusters), [4, 8].contains(bits) else { return nil }
        var (densities, states) = (named["mixture_count"] ?? 0, named["model_count"] ?? 0)
        if clusters == 0 {
            guard let rows = reader.count(4_096), let columns = reader.count(1 << 20) else { return nil }
            (densities, states) = (rows, columns)
        }
        guard (1...4_096).contains(densities), (1...1 << 20).contains(states) else { return nil }
        let row = bits == 4 ? (states + 1) / 2 : states
        let codebook = clusters == 0 ? 0 : 16
        guard data.count == reader.position + codebook + streams * densities * row else { return nil }
        (self.streams, self.densities, self.states) = (streams, densities, states)
    }
}
