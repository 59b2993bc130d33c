import Engines

/// A wheel (a zip archive). Only files that are asked for are written, under names that do not come from the wheel.
struct Wheel {
    let path: String

    /// Writes files of the wheel into a folder.
    ///
    /// - Throws: `damaged` if any member has an absolute path, one with `..`, or one that occurs twice, if a file is missing, or has
    ///   another size or SHA-256; `inputOutput`; `CancellationError`.
    func unpack(_ contents: [EngineEntry.Content], into folder: String) throws {
        let archive = ZipArchive(path: path)
        var wanted = Dictionary(contents.map { ($0.path, $0) }) { first, _ in first }
        try archive.read { member in
            guard let content = wanted.removeValue(forKey: member.name) else { return }
            let file = try member.write(to: folder + "/" + content.name, atMost: content.bytes)
            guard file.bytes == content.bytes else { throw archive.unusable("\(content.path) is too short") }
            guard file.digest == content.sha256 else { throw archive.unusable("\(content.path) has another SHA-256") }
        }
        if let missing = wanted.keys.min() { throw archive.unusable("\(missing) is missing") }
    }
}
