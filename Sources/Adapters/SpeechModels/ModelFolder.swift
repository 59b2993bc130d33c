import Foundation
import Glibc

/// The files of a model's folder: plain ones, at most one folder down.
struct ModelFolder {
    static let mostFiles = 200
    static let largestTotal: Int64 = 4 << 30

    let path: String
    /// Paths in the folder, in order.
    let files: [String]

    /// - Throws: `absent`; `unusable` when there is something in it that no model has: links, pipes, too much.
    init(_ path: String) throws(SpeechModelError) {
        self.path = path
        var files: [String] = []
        var total: Int64 = 0
        for name in try Self.names(path) {
            switch try Self.kind(path + "/" + name) {
            case .file(let size):
                files.append(name)
                total += size
            case .folder:
                for inner in try Self.names(path + "/" + name) {
                    guard case .file(let size) = try Self.kind("\(path)/\(name)/\(inner)") else {
                        throw Self.unusable("\(path)/\(name)/\(inner) is no plain file.")
                    }
                    files.append(name + "/" + inner)
                    total += size
                }
            }
            guard files.count <= Self.mostFiles, total <= Self.largestTotal else {
                throw Self.unusable(
                    "\(path) has more than \(Self.mostFiles) files or \(Self.largestTotal >> 30) GB; it is no model.")
            }
        }
        guard !files.isEmpty else { throw SpeechModelError(code: .absent, message: "\(path) is empty.") }
        self.files = files.sorted()
    }

    private enum Kind {
        case file(Int64)
        case folder
    }

    private static func names(_ path: String) throws(SpeechModelError) -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: path)
        } catch {
            throw SpeechModelError(
                code: .absent, message: "\(path) is no folder that can be read. Name the folder of a model.")
        }
    }

    private static func kind(_ path: String) throws(SpeechModelError) -> Kind {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw unusable("\(path) cannot be looked at.") }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file(Int64(status.st_size))
        case S_IFDIR: return .folder
        default: throw unusable("\(path) is neither a file nor a folder.")
        }
    }

    private static func unusable(_ message: String) -> SpeechModelError {
        SpeechModelError(code: .unusable, message: message)
    }
}
