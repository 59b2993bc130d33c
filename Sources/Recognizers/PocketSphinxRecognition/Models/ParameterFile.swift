import Foundation

/// A file of numbers in the form of sphinxbase (`bio.c`): "s3", lines of names and values, "endhdr", a number that tells
/// the byte order, whole numbers and floats of 32 bits, and a checksum where `chksum0` says so.
struct ParameterFile {
    private static let byteOrder: UInt32 = 0x1122_3344
    private static let longestHeader = 4_096

    private let words: [UInt32]

    /// `nil` when it is none, is cut off, or its checksum is wrong.
    init?(_ data: Data) {
        guard data.starts(with: Data("s3\n".utf8)),
            let end = data.prefix(Self.longestHeader).range(of: Data("endhdr\n".utf8))
        else { return nil }
        let header = String(decoding: data[..<end.lowerBound], as: UTF8.self)
        let hasChecksum = header.contains("chksum0 yes")
        let body = data[end.upperBound...]
        guard body.count.isMultiple(of: 4), body.count >= 8 else { return nil }
        var words = body.withUnsafeBytes { buffer in
            (0..<buffer.count / 4).map { buffer.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
        }
        if words[0] == Self.byteOrder.byteSwapped { words = words.map(\.byteSwapped) }
        guard words.removeFirst() == Self.byteOrder else { return nil }
        if hasChecksum {
            guard let wanted = words.popLast() else { return nil }
            // bio.c, chksum_accum.
            let sum = words.reduce(UInt32(0)) { ($0 << 20 | $0 >> 12) &+ $1 }
            guard sum == wanted else { return nil }
        }
        self.words = words
    }

    struct Gaussians: Hashable {
        let codebooks: Int
        let streams: Int
        let densities: Int
        let lengths: [Int]

        var count: Int { codebooks * densities * lengths.reduce(0, +) }
    }

    /// The dimensions of means or variances; `nil` when they do not fit the length, or a number is none.
    func gaussians() -> Gaussians? {
        guard let codebooks = count(0, 65_536), let streams = count(1, 16), let densities = count(2, 4_096) else {
            return nil
        }
        let lengths = (0..<streams).compactMap { count(3 + $0, 512) }
        guard lengths.count == streams else { return nil }
        let result = Gaussians(codebooks: codebooks, streams: streams, densities: densities, lengths: lengths)
        return fits(header: 3 + streams, result.count) ? result : nil
    }

    /// How many transition matrices there are; `nil` when the dimensions do not fit the length.
    func matrices() -> Int? {
        guard let matrices = count(0, 65_536), let from = count(1, 64), let to = count(2, 64), to == from + 1 else {
            return nil
        }
        return fits(header: 3, matrices * from * to) ? matrices : nil
    }

    /// Whether none of the numbers behind the dimensions is negative.
    var isPositive: Bool {
        guard let streams = count(1, 16) else { return false }
        return words.dropFirst(4 + streams).allSatisfy { Float(bitPattern: $0) >= 0 }
    }

    private func fits(header: Int, _ values: Int) -> Bool {
        guard words.count == header + 1 + values, Int(words[header]) == values else { return false }
        return words[(header + 1)...].allSatisfy { Float(bitPattern: $0).isFinite }
    }

    private func count(_ index: Int, _ most: Int) -> Int? {
        guard index < words.count, words[index] > 0, words[index] <= UInt32(most) else { return nil }
        return Int(words[index])
    }
}
