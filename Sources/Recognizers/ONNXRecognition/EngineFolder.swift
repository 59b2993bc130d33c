import RecognizerWorker
import Speech

/// The files of a model in an engine's folder, with the library that runs it.
struct EngineFolder: Sendable, Hashable {
    /// Paths.
    let library: String
    let encoder: String
    let decoder: String
    let tokens: String
    let detector: String
    let capabilities: EngineCapabilities

    init(_ description: EngineDescription) throws(RecognitionError) {
        guard description.family == .moonshine else {
            throw .unusableEngine(
                "\(description.folder)/engine.json names the family \(description.family.rawValue), which "
                    + "\(ONNXEngine.program) does not run")
        }
        library = description.folder + "/libsherpa-onnx-c-api.so"
        encoder = try description.path(for: "encoder")
        decoder = try description.path(for: "decoder")
        tokens = try description.path(for: "tokens")
        detector = try description.path(for: "detector")
        try EngineDescription.requireFiles([
            library, description.folder + "/libonnxruntime.so", encoder, decoder, tokens, detector,
        ])
        capabilities = description.capabilities(for: [.dictation])
    }
}
