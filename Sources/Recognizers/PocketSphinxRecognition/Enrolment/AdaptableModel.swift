import Foundation
import Speech

/// What sphinxtrain needs of the model, in the forms that it reads.
struct AdaptableModel {
    /// Arguments of `bw` that tell of the model.
    let arguments: [String]
    /// Of `mllr_solve`.
    let statistics: [String]
    let dictionary: String

    /// - Parameter work: where to write what has to be rewritten.
    init(_ model: Model, work: String) throws(EnrolmentError) {
        let folder = model.acousticModel
        let parameters = Self.parameters(folder)
        guard let features = parameters["-feat"] else {
            throw Self.unfit("its feat.params does not say which features it has")
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
            let sendump = MixtureWeights(sendump: try Self.bytes(folder + "/sendump"))
            guard let bytes = sendump.rewritten() else { throw Self.unfit("its sendump is damaged or of a rare kind") }
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
                // Each utterance with its own mean, as it is decoded when it is over.
                "-cmn", "batch", "-agc", "none", "-varnorm", parameters["-varnorm"] ?? "no",
                // Only what a transform is solved from.
                "-mixwreest", "no", "-tmatreest", "no", "-varreest", "no", "-timing", "no",
            ]
        if let streams = parameters["-svspec"] { arguments += ["-svspec", streams] }
        if FileManager.default.fileExists(atPath: folder + "/feature_transform") {
            arguments += ["-lda", folder + "/feature_transform"]
        }
        self.arguments = arguments
        dictionary = model.dictionary
    }

    /// The dictionary's lines for the words, every pronunciation of them.
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
                code: .noMemory, message: "There is no room in memory (/dev/shm) for learning a voice; free some.")
        }
    }

    private static func parameters(_ folder: String) -> [String: String] {
        let text = (try? String(contentsOfFile: folder + "/feat.params", encoding: .utf8)) ?? ""
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        return zip(words, words.dropFirst()).reduce(into: [:]) { if $1.0.hasPrefix("-") { $0[$1.0] = $1.1 } }
    }

    private static func bytes(_ path: String) throws(EnrolmentError) -> [UInt8] {
        guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
            throw unfit(
                "\(path) cannot be "
                    + ""
                    + "read")
        }
        return [UInt8](data)
    }

    private static func unfit(_ reason: String) -> EnrolmentError {
        EnrolmentError(code: .modelUnavailable, message: "The model cannot be adapted to a voice: \(reason).")
    }
}
