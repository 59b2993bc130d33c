import Foundation
import Speech

/// An engine's folder: its library, its model, and `engine.json`, which names the model's files:
///
///     {"name": "Moonshine tiny", "version": "0.0.73", "languages": ["en"],
///      "recognizer": {"family": "moonshine", "encoder": "encoder_model.ort", "decoder": "decoder_model_merged.ort",
///                     "tokens": "tokens.txt", "detector": "silero_vad.onnx"}}
struct EngineFolder: Sendable, Hashable {
    private struct Entry: Decodable {
        let name: String?
        let version: String?
        let languages: [String]?
        let recognizer: Recognizer
    }

    private struct Recognizer: Decodable {
        let family: String
        let encoder: String
        let decoder: String
        let tokens: String
        let detector: String
    }

    /// Paths.
    let library: String
    let encoder: String
    let decoder: String
    let tokens: String
    let detector: String
    let capabilities: EngineCapabilities

    init(_ folder: String) throws(RecognitionError) {
        guard let data = FileManager.default.contents(atPath: folder + "/engine.json"),
            let entry = try? JSONDecoder().decode(Entry.self, from: data)
        else { throw Self.unusable("The folder \(folder) has no engine.json that names a model's files") }
        let recognizer = entry.recognizer
        guard EngineFamily(rawValue: recognizer.family) != nil else {
            throw Self.unusable(
                "\(folder)/engine.json names the family \(recognizer.family); this program runs \(EngineFamily.known)")
        }
        library = folder + "/libsherpa-onnx-c-api.so"
        encoder = folder + "/" + recognizer.encoder
        decoder = folder + "/" + recognizer.decoder
        tokens = folder + "/" + recognizer.tokens
        detector = folder + "/" + recognizer.detector
        // The library ends the process if some are missing.
        for path in [library, folder + "/libonnxruntime.so", encoder, decoder, tokens, detector] {
            let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber
            guard let size, size.intValue > 0 else { throw Self.unusable("The file \(path) is missing or empty") }
        }
        // Neither the user's words nor phrases: the library applies hot words to other families only.
        capabilities = EngineCapabilities(
            protocolVersion: EngineCapabilities.latestProtocol,
            name: entry.name.flatMap { EngineCapabilities.isName($0) ? $0 : nil },
            version: entry.version.flatMap { EngineCapabilities.isName($0) ? $0 : nil },
            languages: entry.languages, tasks: [.dictation], inputs: [.live, .file])
    }

    static func unusable(_ what: String) -> RecognitionError {
        RecognitionError(code: .modelUnavailable, message: what + "; install the engine again.")
    }
}
