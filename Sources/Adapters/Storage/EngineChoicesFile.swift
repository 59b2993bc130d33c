import Authorization
import Foundation

/// Which engines the user chose for which task, the last one first, in `engines/choices.json` of the state directory:
/// `{"dictation":["vosk-ko","moonshine-tiny-en"],"files":["moonshine-tiny-en"]}`.
public struct EngineChoicesFile: Sendable {
    private let folder: String

    private static let name = "choices.json"
    private static let limit = 65_536

    public init(stateDirectory: String) { folder = stateDirectory + "/engines" }

    /// - Returns: empty if nothing was chosen. Tasks of later versions are left out.
    /// - Throws: `StorageError`.
    public func read() throws -> [EngineTask: [String]] {
        guard FileManager.default.fileExists(atPath: folder), let data = try file.contents() else { return [:] }
        guard let texts = try? JSONDecoder().decode([String: [String]].self, from: data) else {
            throw StorageError(
                code: .corrupt,
                message:
                    "\(folder)/\(Self.name) does not say which engines were chosen, so PocketSphinx is used. To choose again: "
                    + "voicegate engine use ID")
        }
        let choices = texts.compactMap { name, id in EngineTask(rawValue: name).map { ($0, id) } }
        return Dictionary(uniqueKeysWithValues: choices)
    }

    /// Durable when it returns.
    ///
    /// - Throws: `StorageError`; the old choices are kept then.
    public func replace(_ choices: [EngineTask: [String]]) async throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let texts = Dictionary(uniqueKeysWithValues: choices.map { ($0.key.rawValue, $0.value) })
        try await file.replaceInBackground(with: try encoder.encode(texts))
    }

    private var file: DurableFile {
        get throws { DurableFile(try StateDirectory(path: folder), name: Self.name, limit: Self.limit) }
    }
}
