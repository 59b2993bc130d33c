import Foundation
import Speech

/// What `engine.json` in an engine's folder says:
///
///     {"name": "Moonshine tiny", "version": "0.0.73", "languages": ["en"],
///      "recognizer": {"family": "moonshine", "encoder": "encoder_model.ort", "decoder": "decoder_model_merged.ort",
///                     "tokens": "tokens.txt", "detector": "silero_vad.onnx"}}
public struct EngineDescription: Sendable, Hashable {
    private struct Entry: Decodable {
        let name: String?
        let version: String?
        let languages: [String]?
        let recognizer: [String: String]
    }

    public let folder: String
    public let family: EngineFamily
    private let entry: EngineCapabilities
    private let files: [String: String]

    /// - Parameter folder: a path.
    public init(_ folder: String) throws(RecognitionError) {
        guard let data = FileManager.default.contents(atPath: folder + "/engine.json"),
            let entry = try? JSONDecoder().decode(Entry.self, from: data)
        else { throw .unusableEngine("The folder \(folder) has no engine.json that names a model's files") }
        let name = entry.recognizer["family"] ?? ""
        guard let family = EngineFamily(rawValue: name) else {
            throw .unusableEngine("\(folder)/engine.json names the family \(name), which is not known")
        }
        (self.folder, self.family, files) = (folder, family, entry.recognizer)
        self.entry = EngineCapabilities(
            protocolVersion: EngineCapabilities.latestProtocol,
            name: entry.name.flatMap { EngineCapabilities.isName($0) ? $0 : nil },
            version: entry.version.flatMap { EngineCapabilities.isName($0) ? $0 : nil },
            languages: entry.languages, inputs: [.live, .file], options: family.options)
    }

    /// The path of the file for this use.
    public func path(for use: String) throws(RecognitionError) -> String {
        guard let name = files[use] else {
            throw .unusableEngine("\(folder)/engine.json names no \(use)")
        }
        return folder + "/" + name
    }

    public func capabilities(for tasks: Set<RecognitionTask.Kind>) -> EngineCapabilities {
        var capabilities = entry
        capabilities.tasks = tasks
        return capabilities
    }

    /// Call it before a library that ends the process if files are missing.
    public static func requireFiles(_ paths: [String]) throws(RecognitionError) {
        for path in paths {
            let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? NSNumber
            guard let size, size.intValue > 0 else { throw .unusableEngine("The file \(path) is missing or empty") }
        }
    }

    /// Calls a C function that loads a library or writes why it does not.
    public static func load(
        _ path: String, by load: (_ path: String, _ message: UnsafeMutablePointer<CChar>, _ length: Int) -> Int32
    ) throws(RecognitionError) {
        var message = [CChar](repeating: 0, count: 512)
        guard load(path, &message, message.count) != 0 else { return }
        let end = message.firstIndex(of: 0) ?? message.endIndex
        let reason = String(decoding: message[..<end].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        throw .unusableEngine("The engine's library cannot be used: \(reason)")
    }
}

extension RecognitionError {
    public static func unusableEngine(_ what: String) -> RecognitionError {
        RecognitionError(code: .modelUnavailable, message: what + "; install the engine again.")
    }
}
