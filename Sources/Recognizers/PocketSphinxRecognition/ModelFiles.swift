/// An acoustic model's `mdef` in PocketSphinx's binary form.
///
/// The binary form (pocketsphinx, `bin_mdef.h`), in the byte order of the machine that wrote it: "BMDF", version, length of a
/// description and the description; ten numbers of 32 bits (base phones, phones, states of each, states of base phones,
/// states, transition matrices, state sequences, context, nodes of a tree, silence); names of the base phones, each ended
/// by 0, filled up to four bytes; the tree, 8 bytes a node; the phones, 12 bytes each (sequence, matrix, then for a base
/// phone whether it is a filler, for others the position in the word and base, left and right phone); the number of
/// states in all sequences, and the states with 16 bits each.
struct ModelDefinition {
    private static let mostPhones = 2_000_000
    /// Of a phone in its word.
    private static let positions = 5

    private let bytes: [UInt8]

    /// `nil` when the file is not binary: then it is text already.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Array("BMDF".utf8)) else { return nil }
        self.bytes = bytes
    }

    /// The file's sections. Its numbers are checked against its length.
    struct Layout: Hashable {
        let baseCount: Int
        let phoneCount: Int
        let states: Int
        let matrices: Int
        let sequences: Int
        /// The offset of the phones.
        let phones: Int
    }

    /// `nil` when it is damaged.
    func layout() -> Layout? {
        var reader = ByteReader(bytes)
        reader.skip(4)
        guard let version = reader.integer(), version == 1, let description = reader.integer(),
            reader.skip(description), let baseCount = reader.count(255), let phoneCount = reader.count(Self.mostPhones),
            let stateCount = reader.count(16), stateCount > 0, reader.count(Self.mostPhones) != nil,
            let states = reader.count(65_536), let matrices = reader.count(Self.mostPhones),
            let sequences = reader.count(Self.mostPhones), reader.count(16) != nil,
            let nodes = reader.count(10 * Self.mostPhones), reader.integer() != nil, phoneCount >= baseCount
        else { return nil }
        let start = reader.position
        for _ in 0..<baseCount {
            guard reader.skipName() else { return nil }
        }
        guard reader.skip((4 - (reader.position - start) % 4) % 4), reader.skip(8 * nodes) else { return nil }
        let phones = reader.position
        guard reader.skip(12 * phoneCount), reader.integer() == sequences * stateCount else { return nil }
        guard reader.skip(2 * sequences * stateCount), reader.position == bytes.count else { return nil }
        return Layout(
            baseCount: baseCount, phoneCount: phoneCount, states: states, matrices: matrices, sequences: sequences,
            phones: phones)
    }

    /// Whether the numbers of each phone are within the file's counts.
    func isSound(_ layout: Layout) -> Bool {
        var reader = ByteReader(bytes)
        reader.position = layout.phones
        for phone in 0..<layout.phoneCount {
            guard reader.count(layout.sequences - 1) != nil, reader.count(layout.matrices - 1) != nil,
                let context = reader.take(4)
            else { return false }
            if phone >= layout.baseCount {
                guard let position = context.first, position < Self.positions,
                    context.dropFirst().allSatisfy({ $0 < layout.baseCount })
                else { return false }
            }
        }
        return true
    }
}

/// The header of an acoustic model's `sendump` (pocketsphinx, `ptm_mgau.c`, `read_sendump`): strings, each with its length
/// before it, of which `feature_count N` and the like are used, up to a length of 0; rows (densities) and columns (states)
/// unless there are clusters; then for each stream and density a byte for each state, the weight's logarithm to the base
/// 1.0001 divided by −1024.
struct SendumpHeader {
    private(set) var streams = 1
    private(set) var densities = 0
    private(set) var states = 0
    private var clusters = 0
    private var bits = 8
    /// The offset of what follows the header.
    private let end: Int

    /// `nil` when it is damaged, or the number of weights after it differs.
    init?(_ data: some Collection<UInt8>) {
        // The strings are short; the weights after them are not read.
        var reader = ByteReader([UInt8](data.prefix(16_384)))
        var named: [String: Int] = [:]
        var count = 0
        while true {
            guard let length = reader.count(999) else { return nil }
            if length == 0 { break }
            // The library requires that the first two end with 0; the padding after them need not.
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
        (densities, states) = (named["mixture_count"] ?? 0, named["model_count"] ?? 0)
        if clusters == 0 {
            guard let rows = reader.count(4_096), let columns = reader.count(1 << 20) else { return nil }
            (densities, states) = (rows, columns)
        }
        end = reader.position
        guard (1...4_096).contains(densities), (1...1 << 20).contains(states) else { return nil }
        let row = bits == 4 ? (states + 1) / 2 : states
        let codebook = clusters == 0 ? 0 : 16
        guard data.count == end + codebook + streams * densities * row else { return nil }
    }
}

/// Reads little-endian numbers out of bytes that may be damaged.
struct ByteReader {
    private let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// A number of 32 bits that is not negative; `nil` at the end.
    mutating func integer() -> Int? {
        guard position + 4 <= bytes.count else { return nil }
        let value = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[position + $1]) << (8 * UInt32($1)) }
        position += 4
        return Int32(bitPattern: value) < 0 ? nil : Int(value)
    }

    /// The same, or `nil` when it is more than `most`.
    mutating func count(_ most: Int) -> Int? {
        guard let value = integer(), value <= most else { return nil }
        return value
    }

    /// Skips bytes up to and with a 0; `false` if there is none within 64 bytes.
    mutating func skipName() -> Bool {
        guard let end = bytes[position...].prefix(64).firstIndex(of: 0) else { return false }
        position = end + 1
        return true
    }

    /// `false` when there are fewer.
    @discardableResult
    mutating func skip(_ count: Int) -> Bool {
        guard count >= 0, position + count <= bytes.count else { return false }
        position += count
        return true
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        let start = position
        return skip(count) ? bytes[start..<start + count] : nil
    }
}
