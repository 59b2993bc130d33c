import Engines
import Foundation
import LinuxSystem

/// A model of Vosk as its makers publish it: a zip archive with one folder, such as `vosk-model-small-ja-0.22`.
public enum VoskArchive {
    /// Unpacks the model into a new folder of the same name.
    ///
    /// - Parameter folder: where the new folder is made.
    /// - Returns: its path.
    /// - Throws: `damaged` if it is another archive, has an unsafe path or is too large; `inputOutput`; `CancellationError`.
    public static func unpack(_ path: String, into folder: String) throws -> String {
        let archive = ZipArchive(path: path)
        var roots: [String] = []
        try archive.read { member in
            if member.name.hasSuffix(EngineEntry.voskMark) {
                roots.append(String(member.name.dropLast(EngineEntry.voskMark.count)))
            }
        }
        guard let root = roots.first, roots.count == 1, root.isEmpty || root.hasSuffix("/") else {
            throw archive.unusable("it has no model of Vosk (a folder with \(EngineEntry.voskMark)), or several")
        }
        let name = root.split(separator: "/").last.map(String.init)
        let own = name ?? (path as NSString).lastPathComponent.replacing(/\.zip$/.ignoresCase(), with: "")
        let target = folder + "/" + own
        var rest = (files: VerifiedFolder.mostFiles, bytes: VerifiedFolder.largestTotal)
        try archive.read { member in
            let name = String(member.name.dropFirst(root.count))
            guard member.name.hasPrefix(root), member.isRegularFile, !name.contains("/.") && !name.hasPrefix(".") else {
                return
            }
            guard EngineEntry.isFilePath(name), rest.files > 0 else {
                throw archive.unusable("\(member.name) cannot be a file of a model")
            }
            rest.files -= 1
            rest.bytes -= try member.write(to: target + "/" + name, atMost: rest.bytes).bytes
        }
        return target
    }
}
