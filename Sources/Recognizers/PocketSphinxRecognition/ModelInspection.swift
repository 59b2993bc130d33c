import Foundation
import Speech

/// Checks the files of a model, since the library ends the process on many kinds of damage.
///
/// Lengths, counts and checksums must agree, and parameters must be known ones. Damage that this does not find ends only this
/// process.
struct ModelInspection {
    private static let largest = 1 << 30

    let model: Model

    /// - Throws: `modelUnavailable` naming the file.
    func check() throws(RecognitionError) {
        let folder = model.acousticModel
        if let fault = FeatureParameters.fault(in: try text(folder + "/feat.params")) {
            throw Self.damaged(folder + "/feat.params", fault)
        }
        var definition: ModelDefinition.Layout?
        if let binary = ModelDefinition([UInt8](try bytes(folder + "/mdef"))) {
            guard let layout = binary.layout(), binary.isSound(layout) else {
                throw Self.damaged(folder + "/mdef", "it is cut off, or its numbers do not fit each other")
            }
            definition = layout
        } else if !(try text(folder + "/mdef").contains("n_base")) {
            throw Self.damaged(folder + "/mdef", "it is not a model definition")
        }
        let means = try parameters(folder + "/means")
        let variances = try parameters(folder + "/variances")
        let meansHeader = means.gaussians()
        guard let meansHeader else { throw Self.damaged(folder + "/means", "its dimensions do not fit its length") }
        guard let variancesHeader = variances.gaussians(), variancesHeader == meansHeader else {
            throw Self.damaged(folder + "/variances", "its dimensions are not those of the means")
        }
        guard variances.isPositive else { throw Self.damaged(folder + "/variances", "it has a negative variance") }
        guard let matrices = try parameters(folder + "/transition_matrices").matrices(),
            definition.map({ matrices >= $0.matrices }) ?? true
        else { throw Self.damaged(folder + "/transition_matrices", "there are fewer of them than the mdef names") }
        let sendump = folder + "/sendump"
        if FileManager.default.fileExists(atPath: sendump) {
            guard let header = SendumpHeader(try bytes(sendump)) else {
                throw Self.damaged(sendump, "its header does not fit its length")
            }
            let fits = header.streams == meansHeader.streams && header.densities == meansHeader.densities
            guard fits, definition.map({ header.states == $0.states }) ?? true else {
                throw Self.damaged(sendump, "its header fits neither the mdef nor the means")
            }
        } else {
            _ = try parameters(folder + "/mixture_weights")
        }
        for path in [model.languageModel, model.dictionary] where try bytes(path).count < 16 {
            throw Self.damaged(path, "it is cut off")
        }
    }

    private func parameters(_ path: String) throws(RecognitionError) -> ParameterFile {
        guard let file = ParameterFile(try bytes(path)) else {
            throw Self.damaged(path, "it is cut off, or its header or checksum is wrong")
        }
        return file
    }

    private func text(_ path: String) throws(RecognitionError) -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }

    private func bytes(_ path: String) throws(RecognitionError) -> Data {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped),
            data.count <= Self.largest
        else {
            throw RecognitionError(
                code: .modelUnavailable, message: "The model's file \(path) cannot be read; install the model again.")
        }
        return data
    }

    private static func damaged(_ path: String, _ reason: String) -> RecognitionError {
        RecognitionError(
            code: .modelUnavailable,
            message: "The model's file \(path) is damaged: \(reason). Install the model again, or name a different one."
        )
    }
}

/// A file of numbers in the form of sphinxbase (`bio.c`): "s3", lines of names and values, "endhdr", a number that shows
/// the byte order, whole numbers and floats of 32 bits, and a checksum if `chksum0` is “yes”.
struct ParameterFile {
    private static let byteOrder: UInt32 = 0x1122_3344
    private static let longestHeader = 4_096

    private let words: [UInt32]

    /// `nil` when it is of another format, is cut off, or its checksum is wrong.
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

    /// The dimensions of means or variances; `nil` when they do not fit the length, or a number is not finite.
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

/// An acoustic model's `feat.params`: options of the library, which override all others. The library ends the process on some
/// values.
enum FeatureParameters {
    private static let words: [String: Set<String>] = [
        "-cmn": ["none", "batch", "current", "prior", "live"], "-agc": ["none", "max", "emax", "noise"],
        "-transform": ["legacy", "dct", "htk"], "-model": ["ptm", "semi", "cont"],
        "-warp_type": ["inverse_linear", "affine", "piecewise_linear"], "-input_endian": ["little", "big"],
    ]
    private static let switches: Set<String> = [
        "-varnorm", "-dither", "-doublebw", "-remove_dc", "-remove_noise", "-remove_silence", "-round_filters",
        "-unit_area", "-smoothspec", "-logspec", "-verbose",
    ]
    private static let numbers: [String: ClosedRange<Double>] = [
        "-lowerf": 0...48_000, "-upperf": 1...48_000, "-nfilt": 1...256, "-lifter": 0...512, "-ncep": 1...64,
        "-samprate": 4_000...96_000, "-wlen": 0.005...0.1, "-frate": 50...200, "-nfft": 0...8_192, "-alpha": 0...1,
        "-vad_threshold": 0...10, "-ldadim": 0...512, "-seed": -2_147_483_648...2_147_483_647,
        "-vad_postspeech": 0...500, "-vad_prespeech": 0...500, "-vad_startspeech": 0...500,
    ]
    private static let texts: Set<String> = ["-feat", "-svspec", "-cmninit", "-warp_params"]
    private static let longestText = 400

    /// Why the parameters cannot be used, or `nil`.
    static func fault(in text: String) -> String? {
        let fields = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard fields.count.isMultiple(of: 2), fields.count <= 200 else { return "it is cut off" }
        for index in stride(from: 0, to: fields.count, by: 2) {
            let (key, value) = (fields[index], fields[index + 1])
            let isAllowed: Bool
            if let words = words[key] {
                isAllowed = words.contains(value)
            } else if let range = numbers[key] {
                isAllowed = Double(value).map(range.contains) ?? false
            } else if texts.contains(key) {
                isAllowed = value.utf8.count <= longestText && isText(key, value)
            } else if switches.contains(key) {
                guard ["yes", "no"].contains(value) else { return "\(key) is yes or no" }
                continue
            } else {
                // This also refuses options that make the library read or write files.
                return "“\(key.prefix(40))” is not a parameter of a model's features"
            }
            guard isAllowed else { return "\(key) cannot be “\(value.prefix(40))”" }
        }
        return nil
    }

    private static func isText(_ key: String, _ value: String) -> Bool {
        switch key {
        case "-feat": value.wholeMatch(of: /[0-9a-z_,:]+/) != nil
        case "-svspec": value.wholeMatch(of: /[0-9,\/-]+/) != nil
        default: value.split(separator: ",").allSatisfy { Double($0).map { $0.isFinite && abs($0) < 1_000 } ?? false }
        }
    }
}
