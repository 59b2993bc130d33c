import CPocketSphinx
import Foundation
import Speech
import Synchronization

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

/// The means and variances of the model's sounds, opened before the worker is locked in: whoever applies a transform makes
/// the library read them again.
final class ModelStatistics: Sendable {
    // The position in both files is everybody's, so one decoder reads them at a time.
    private let files: Mutex<(means: FileHandle, variances: FileHandle)>

    init(_ model: Model) throws(ModelError) {
        guard let means = FileHandle(forReadingAtPath: model.acousticModel + "/means"),
            let variances = FileHandle(forReadingAtPath: model.acousticModel + "/variances")
        else {
            throw ModelError(
                code: .missing, message: "The model \(model.acousticModel) has no means or variances; install it again."
            )
        }
        files = Mutex((means, variances))
    }

    /// Lets the decoder hear with a transform from now on.
    ///
    /// - Returns: `false` when it does not fit the model; nothing has changed then.
    func apply(_ transform: [UInt8], to decoder: Decoder) -> Bool {
        // One of other dimensions would end the process.
        guard SpeakerTransform.fits(transform, streams: decoder.streams) else { return false }
        return files.withLock { files in
            let matrix = vg_memory_file(transform, transform.count)
            guard matrix >= 0 else { return false }
            defer { close(matrix) }
            for file in [files.means, files.variances] { lseek(file.fileDescriptor, 0, SEEK_SET) }
            return decoder.adapt(
                matrix: Self.name(matrix),
                statistics: (Self.name(files.means.fileDescriptor), Self.name(files.variances.fileDescriptor)))
        }
    }

    private static func name(_ descriptor: Int32) -> String {
        var name = [CChar](repeating: 0, count: Int(vg_memory_file_name_length))
        vg_memory_file_name(descriptor, &name)
        return String(cString: name)
    }
}

/// Why a model cannot be used.
struct ModelError: Error, Hashable, CustomStringConvertible {
    enum Code: String, Hashable, CaseIterable {
        /// A part of it is not there or is empty.
        case missing
        /// A file of it is not what it must be.
        case damaged
        /// The library refused it.
        case refused
    }

    let code: Code
    /// A sentence: what happened and what to do next.
    let message: String

    var description: String { message }
}

/// The worker's log: lines on standard error, each with its level first, which the service reads.
enum EngineLog {
    /// sphinxbase's levels.
    private static let warning: Int32 = 3
    private static let error: Int32 = 4

    /// Sends the library's warnings and errors there. Not its information: that quotes what was said.
    static func begin() {
        vg_decoder_log { level, line in
            guard level >= EngineLog.warning, let line else { return }
            EngineLog.write(level == EngineLog.warning ? "warning" : "error", String(cString: line))
        }
    }

    static func write(_ level: String, _ message: String) {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        guard !line.isEmpty else { return }
        try? FileHandle.standardError.write(contentsOf: Data("\(level) \(line)\n".utf8))
    }
}
