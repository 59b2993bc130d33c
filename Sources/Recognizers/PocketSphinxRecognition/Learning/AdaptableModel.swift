import Foundation
import Speech

/// The model's files in the formats that sphinxtrain reads.
struct AdaptableModel {
    /// The arguments of `bw` for the model.
    let arguments: [String]
    /// The arguments of `mllr_solve` for the model.
    let statistics: [String]
    let dictionary: String

    /// - Parameter work: the folder for rewritten files.
    init(_ model: Model, work: String) throws(EnrolmentError) {
        let folder = model.acousticModel
        let parameters = Self.parameters(folder)
        guard let features = parameters["-feat"] else {
            throw Self.unfit("its feat.params names no features")
        }
        var definition = folder + "/mdef"
        if let binary = ModelDefinition(try Self.bytes(definition)) {
            definition = work + "/mdef.txt"
            guard let text = binary.text() else { throw Self.unfit("its mdef is damaged") }
            try Self.write(text, to: definition)
        }
        var weights = folder + "/mixture_weights"
        if !FileManager.default.fileExists(atPath: weights) {
            weights = work + "/mixture_weights"
            let sendump = try Self.bytes(folder + "/sendump")
            guard let bytes = SendumpHeader(sendump)?.mixtureWeights(of: sendump) else {
                throw Self.unfit("its sendump is damaged or of an unsupported kind")
            }
            try Self.write(bytes, to: weights)
        }
        let fillers = work + "/fillers"
        try Self.write(Array("<s> SIL\n</s> SIL\n<sil> SIL\n".utf8), to: fillers)
        statistics = ["-meanfn", folder + "/means", "-varfn", folder + "/variances"]
        var arguments =
            statistics + [
                "-moddeffn", definition, "-mixwfn", weights, "-tmatfn", folder + "/transition_matrices",
                "-ts2cbfn", "." + (parameters["-model"] ?? "cont") + ".", "-feat", features,
                "-fdictfn", fillers,
                // Each utterance with its own mean, as in the final pass.
                "-cmn", "batch", "-agc", "none", "-varnorm", parameters["-varnorm"] ?? "no",
                // Only the counts that a transform is computed from.
                "-mixwreest", "no", "-tmatreest", "no", "-varreest", "no", "-timing", "no",
            ]
        if let streams = parameters["-svspec"] { arguments += ["-svspec", streams] }
        if FileManager.default.fileExists(atPath: folder + "/feature_transform") {
            arguments += ["-lda", folder + "/feature_transform"]
        }
        self.arguments = arguments
        dictionary = model.dictionary
    }

    /// The dictionary's lines for the words, with all pronunciations.
    func entries(of words: Set<String>) throws(EnrolmentError) -> [UInt8] {
        var lines: [UInt8] = []
        for line in try Self.bytes(dictionary).split(separator: UInt8(ascii: "\n")) {
            let entry = String(decoding: line.prefix { $0 > 0x20 }.prefix(256), as: UTF8.self)
            guard let word = Vocabulary.word(entry), words.contains(word) else { continue }
            lines += line + [UInt8(ascii: "\n")]
        }
        return lines
    }

    static func write(_ bytes: some Collection<UInt8>, to path: String) throws(EnrolmentError) {
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
            throw EnrolmentError(
                code: .noMemory, message: "There is not enough memory (/dev/shm) to learn a voice; free some.")
        }
    }

    private static func parameters(_ folder: String) -> [String: String] {
        let text = (try? String(contentsOfFile: folder + "/feat.params", encoding: .utf8)) ?? ""
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        return zip(words, words.dropFirst()).reduce(into: [:]) { if $1.0.hasPrefix("-") { $0[$1.0] = $1.1 } }
    }

    private static func bytes(_ path: String) throws(EnrolmentError) -> [UInt8] {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            throw unfit("\(path) cannot be read")
        }
        return [UInt8](data)
    }

    private static func unfit(_ reason: String) -> EnrolmentError {
        EnrolmentError(code: .modelUnavailable, message: "The model cannot be adapted to a voice: \(reason).")
    }
}

/// An acoustic model's `mdef`, rewritten from PocketSphinx's binary form into the text form that sphinxtrain reads.
///
/// The binary form (pocketsphinx, `bin_mdef.h`), in the byte order of the machine that wrote it: "BMDF", version, length of a
/// description and the description; ten numbers of 32 bits (base phones, phones, states of each, states of base phones,
/// states, transition matrices, state sequences, context, nodes of a tree, silence); names of the base phones, each ended
/// by 0, filled up to four bytes; the tree, 8 bytes a node; the phones, 12 bytes each (sequence, matrix, then for a base
/// phone whether it is a filler, for others the position in the word and base, left and right phone); the number of
/// states in all sequences, and the states with 16 bits each.
struct ModelDefinition {
    private static let mostPhones = 2_000_000
    private static let positions = Array("ibesu".utf8)

    private let bytes: [UInt8]

    /// `nil` when the file is not binary: then it is text already.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: Array("BMDF".utf8)) else { return nil }
        self.bytes = bytes
    }

    /// The file's sections. Its numbers are checked against its length.
    struct Layout: Hashable {
        let names: [[UInt8]]
        let phoneCount: Int
        let stateCount: Int
        let baseStates: Int
        let states: Int
        let matrices: Int
        let sequences: Int
        /// Offsets of the phones and of the table of states.
        let phones: Int
        let table: Int
    }

    /// `nil` when it is damaged.
    func layout() -> Layout? {
        var reader = ByteReader(bytes)
        reader.skip(4)
        guard let version = reader.integer(), version == 1, let description = reader.integer(),
            reader.skip(description), let baseCount = reader.count(255), let phoneCount = reader.count(Self.mostPhones),
            let stateCount = reader.count(16), stateCount > 0, let baseStates = reader.count(Self.mostPhones),
            let states = reader.count(65_536), let matrices = reader.count(Self.mostPhones),
            let sequences = reader.count(Self.mostPhones), reader.count(16) != nil,
            let nodes = reader.count(10 * Self.mostPhones), reader.integer() != nil, phoneCount >= baseCount
        else { return nil }
        let start = reader.position
        var names: [[UInt8]] = []
        for _ in 0..<baseCount {
            guard let name = reader.name() else { return nil }
            names.append(name)
        }
        guard reader.skip((4 - (reader.position - start) % 4) % 4), reader.skip(8 * nodes) else { return nil }
        let phones = reader.position
        guard reader.skip(12 * phoneCount), reader.integer() == sequences * stateCount else { return nil }
        let table = reader.position
        guard reader.skip(2 * sequences * stateCount), reader.position == bytes.count else { return nil }
        return Layout(
            names: names, phoneCount: phoneCount, stateCount: stateCount, baseStates: baseStates, states: states,
            matrices: matrices, sequences: sequences, phones: phones, table: table)
    }

    /// `nil` when it is damaged.
    func text() -> [UInt8]? {
        guard let layout = layout() else { return nil }
        let (names, baseCount, phoneCount) = (layout.names, layout.names.count, layout.phoneCount)
        let stateCount = layout.stateCount
        var reader = ByteReader(bytes)
        var text: [UInt8] = []
        text.reserveCapacity(48 * phoneCount)
        func add(_ words: String) { text += Array(words.utf8) }
        add("0.3\n\(baseCount) n_base\n\(phoneCount - baseCount) n_tri\n\(phoneCount * (stateCount + 1)) n_state_map\n")
        add("\(layout.states) n_tied_state\n\(layout.baseStates) n_tied_ci_state\n")
        add("\(layout.matrices) n_tied_tmat\n#\n# Columns\n#\n")
        for phone in 0..<phoneCount {
            reader.position = layout.phones + 12 * phone
            guard let sequence = reader.count(layout.sequences - 1), let matrix = reader.count(layout.matrices - 1)
            else { return nil }
            let information = bytes[reader.position..<reader.position + 4].map(Int.init)
            if phone < baseCount {
                text += names[phone]
                add(information[0] != 0 ? " - - - filler " : " - - - n/a ")
            } else {
                guard information[0] < Self.positions.count, information[1...].allSatisfy({ $0 < baseCount }) else {
                    return nil
                }
                for context in information[1...] {
                    text += names[context]
                    text.append(UInt8(ascii: " "))
                }
                text.append(Self.positions[information[0]])
                add(" n/a ")
            }
            add("\(matrix)")
            for state in 0..<stateCount {
                let place = layout.table + 2 * (sequence * stateCount + state)
                add(" \(Int(bytes[place]) | Int(bytes[place + 1]) << 8)")
            }
            add(" N\n")
        }
        return text
    }
}

/// The header of an acoustic model's `sendump` (pocketsphinx, `ptm_mgau.c`, `read_sendump`): strings, each with its length
/// before it, of which `feature_count N` and the like are used, up to a length of 0; rows (densities) and columns (states)
/// unless there are clusters; then for each stream and density a byte for each state, the weight's logarithm to the base
/// 1.0001 divided by −1024.
struct SendumpHeader {
    private static let step = 1_024 * log(1.0001)

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

    /// The weights in the form of `mixture_weights`, which sphinxtrain reads (sphinxbase, `bio.c`): a header in text, a number
    /// that shows the byte order, states, streams, densities, their product, and the weights as float32.
    ///
    /// - Parameter sendump: the file of this header.
    /// - Returns: `nil` for weights in clusters, or of four bits.
    func mixtureWeights(of sendump: [UInt8]) -> [UInt8]? {
        guard clusters == 0, bits == 8 else { return nil }
        let weights = sendump[end...]
        let values = (0..<256).map { Float(exp(-Double($0) * Self.step)) }
        var result = Array("s3\nversion 1.0\nendhdr\n".utf8)
        result.reserveCapacity(result.count + 20 + 4 * weights.count)
        func add(_ number: UInt32) { withUnsafeBytes(of: number.littleEndian) { result += $0 } }
        // sphinxtrain reads the machine's byte order, which is little-endian on every supported machine.
        for number in [0x1122_3344, states, streams, densities, weights.count] { add(UInt32(number)) }
        weights.withUnsafeBufferPointer { source in
            for state in 0..<states {
                for row in 0..<streams * densities { add(values[Int(source[row * states + state])].bitPattern) }
            }
        }
        return result
    }
}

/// Reads little-endian numbers and names out of bytes that may be damaged.
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

    /// Bytes up to a 0, which is skipped; `nil` if there is none within 64 bytes.
    mutating func name() -> [UInt8]? {
        let end = bytes[position...].prefix(64).firstIndex(of: 0)
        guard let end else { return nil }
        defer { position = end + 1 }
        return Array(bytes[position..<end])
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
