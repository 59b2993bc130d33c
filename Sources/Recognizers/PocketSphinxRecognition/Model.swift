import CPocketSphinx
import Foundation
import RecognizerWorker
import Speech

/// The parts of a model in a folder, as Debian's `pocketsphinx-en-us` lays them out: a folder with the acoustic model, a
/// language model `*.lm.bin`, and a dictionary `*.dict`.
struct Model: Sendable, Hashable {
    let acousticModel: String
    let languageModel: String
    let dictionary: String

    /// Checks the files first, since the library ends the process if some are missing.
    init(folder: String) throws(RecognitionError) {
        let entries = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        guard !entries.isEmpty else {
            throw Self.missing("The model folder \(folder) does not exist or is empty")
        }
        let paths = entries.map { folder + "/" + $0 }
        guard let acousticModel = paths.first(where: { FileManager.default.fileExists(atPath: $0 + "/mdef") }) else {
            throw Self.missing("The model folder \(folder) has no acoustic model (a folder with a file mdef)")
        }
        // The folder also has a language model of phones, which is unusable for dictation.
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

    /// The library has no function for its version. Debian names the acoustic model's folder by its language: `en-us`.
    var capabilities: EngineCapabilities {
        let folder = (acousticModel as NSString).lastPathComponent
        let isLanguage = folder.wholeMatch(of: /[a-z]{2}-[a-z]{2}/) != nil
        return EngineCapabilities(
            protocolVersion: EngineCapabilities.latestProtocol, name: "pocketsphinx",
            languages: isLanguage ? [folder] : nil, tasks: Set(RecognitionTask.Kind.allCases), inputs: [.live, .file],
            options: Set(RecognitionOption.allCases))
    }

    private static func isFilled(_ path: String) -> Bool {
        guard let file = try? FileManager.default.attributesOfItem(atPath: path),
            let size = file[.size] as? NSNumber
        else { return false }
        return size.intValue > 0
    }

    private static func missing(_ what: String) -> RecognitionError {
        RecognitionError(
            code: .modelUnavailable,
            message: what + "; install the package pocketsphinx-en-us or name another model.")
    }
}

extension EngineLog {
    /// Of sphinxbase.
    private static let warning: Int32 = 3

    /// Logs the library's warnings and errors, but not its information, which quotes speech.
    static func begin() {
        vg_decoder_log { level, line in
            guard level >= EngineLog.warning, let line else { return }
            EngineLog.write(level == EngineLog.warning ? "warning" : "error", String(cString: line))
        }
    }
}
