import CVosk
import Foundation
import RecognizerWorker
import Speech

/// A model of Vosk, for several threads.
final class VoskModel: @unchecked Sendable {
    // Owned by this object alone, freed in deinit. Safe: the library only reads a loaded model, and counts its users atomically.
    private let model: OpaquePointer
    /// Whether it can be limited to sentences: its graph is composed while it decodes.
    let hasDynamicGraph: Bool

    /// Loads the library and the model; call it once.
    init(_ description: EngineDescription) throws(RecognitionError) {
        let (folder, library) = (description.folder, description.folder + "/libvosk.so")
        try EngineDescription.requireFiles([library, folder + "/am/final.mdl"])
        try EngineDescription.load(library) { vg_vosk_load($0, $1, $2) }
        guard let model = vg_vosk_model_open(folder) else {
            throw .unusableEngine("The library refused the model in \(folder)")
        }
        self.model = model
        hasDynamicGraph = FileManager.default.fileExists(atPath: folder + "/graph/HCLr.fst")
    }

    deinit { vg_vosk_model_close(model) }

    func knows(_ word: String) -> Bool { vg_vosk_model_knows(model, word) != 0 }

    /// - Parameters:
    ///   - sentences: the only ones that it looks for, of words that the model knows; it may find other sequences of their words.
    ///     `nil`: any speech.
    ///   - alternatives: how many readings the final text has.
    /// - Returns: `nil` if the library refuses.
    func recognizer(of sentences: [String]? = nil, alternatives: Int = 0) -> VoskRecognizer? {
        // Arrays of strings are always JSON.
        let grammar = sentences.flatMap { try? JSONEncoder().encode($0) }.map { String(decoding: $0, as: UTF8.self) }
        let pointer =
            if let grammar {
                vg_vosk_recognizer_open(model, grammar, Int32(alternatives))
            } else {
                vg_vosk_recognizer_open(model, nil, Int32(alternatives))
            }
        return pointer.map { VoskRecognizer($0, of: self) }
    }
}

/// Recognises one utterance. Use it on one thread at a time; every call blocks.
final class VoskRecognizer {
    // Owned by this object alone, freed in deinit.
    private let recognizer: OpaquePointer
    /// It must outlive the recogniser.
    private let model: VoskModel

    fileprivate init(_ recognizer: OpaquePointer, of model: VoskModel) {
        (self.recognizer, self.model) = (recognizer, model)
    }

    deinit { vg_vosk_recognizer_close(recognizer) }

    /// - Returns: what was recognised since the last pause, if there is one now.
    func take(_ samples: [Int16]) throws(RecognitionError) -> VoskResult? {
        switch vg_vosk_recognizer_take(recognizer, samples, Int32(samples.count)) {
        case 0: return nil
        case 1...: return try VoskResult(vg_vosk_recognizer_result(recognizer))
        default: throw VoskResult.failed
        }
    }

    /// The text since the last pause.
    func partial() throws(RecognitionError) -> String {
        try VoskResult(vg_vosk_recognizer_partial(recognizer)).text
    }

    /// What was recognised since the last pause; nothing may be fed afterwards.
    func end() throws(RecognitionError) -> VoskResult {
        try VoskResult(vg_vosk_recognizer_final(recognizer))
    }
}
