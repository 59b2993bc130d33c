import Foundation

/// The parts of a model in a folder, as Debian's `pocketsphinx-en-us` lays them out: a folder with the acoustic model, a
/// language model `*.lm.bin`, and a dictionary `*.dict`.
struct Model: Sendable, Hashable {
    let acousticModel: String
    let languageModel: String
    let dictionary: String

    /// Looks before the library does, which ends the process on some of what is missing here.
    init(folder: String) throws(ModelError) {
        let entries = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        guard !entries.isEmpty else {
            throw Self.missing("The model folder \(folder) is not there or is empty")
        }
        let paths = entries.map { folder + "/" + $0 }
        guard let acousticModel = paths.first(where: { FileManager.default.fileExists(atPath: $0 + "/mdef") }) else {
            throw Self.missing("The model folder \(folder) has no acoustic model (a folder with a file mdef)")
        }
        // A model of phones lies beside the one of words and is none for dictation.
        guard let languageModel = paths.first(where: { $0.hasSuffix(".lm.bin") && !$0.hasSuffix("-phone.lm.bin") })
        else { throw Self.missing("The model folder \(folder) has no language model (*.lm.bin)") }
        guard let dictionary = paths.first(where: { $0.hasSuffix(".dict") }) else {
            throw Self.missing("The model folder \(folder) has no dictionary (*.dict)")
        }
        let mixtures = ["sendump", "mixture_weights"].map { acousticModel + "/" + $0 }
        guard mixtures.contains(where: Self.isFilled) else {
            throw Self.missing("The acoustic model \(acousticModel) has no sendump and no mixture_weights")
        }
        let parts = ["mdef", "means", "variances", "transition_matrices"].map { acousticModel + "/" + $0 }
        for part in parts + [languageModel, dictionary] where !Self.isFilled(part) {
            throw Self.missing("The model's file \(part) is missing or empty")
        }
        self.acousticModel = acousticModel
        self.languageModel = languageModel
        self.dictionary = dictionary
    }

    private static func isFilled(_ path: String) -> Bool {
        guard let file = try? FileManager.default.attributesOfItem(atPath: path),
            let size = file[.size] as? NSNumber
        else { return false }
        return size.intValue > 0
    }

    private static func missing(_ what: String) -> ModelError {
        ModelError(code: .missing, message: what + "; install the package pocketsphinx-en-us or name another model.")
    }
}
