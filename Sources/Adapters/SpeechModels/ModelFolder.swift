import Authorization
import Foundation
import Glibc

/// The files of a model's folder: regular files, at most one folder down.
struct ModelFolder {
    static let mostFiles = 200
    static let largestTotal: Int64 = 4 << 30

    let path: String
    /// Paths in the folder, in order.
    let files: [String]

    /// - Throws: `absent`; `unusable` for links, pipes, or too many or too large files.
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
                        throw Self.unusable("\(path)/\(name)/\(inner) is not a regular file.")
                    }
                    files.append(name + "/" + inner)
                    total += size
                }
            }
            guard files.count <= Self.mostFiles, total <= Self.largestTotal else {
                throw Self.unusable(
                    "\(path) has more than \(Self.mostFiles) files or \(Self.largestTotal >> 30) GB; it is not a model."
                )
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
                code: .absent, message: "\(path) is not a readable folder. Give the folder of a model.")
        }
    }

    private static func kind(_ path: String) throws(SpeechModelError) -> Kind {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw unusable("\(path) cannot be read.") }
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

/// A wrong file of a model.
public struct ModelFault: Sendable, Hashable, Codable, CustomStringConvertible {
    public enum Kind: String, Sendable, Hashable, Codable {
        case missing, changed, added
    }

    /// Its path in the model's folder.
    public let file: String
    public let kind: Kind

    public var description: String {
        switch kind {
        case .missing: "\(file) is missing"
        case .changed: "\(file) was changed"
        case .added: "\(file) does not belong to it"
        }
    }
}

/// A model that the user added, with the digests of its files at that time.
public struct PinnedModel: Sendable, Hashable, Codable {
    public let id: String
    /// The folder that it was copied from.
    public let origin: String
    public let date: Date
    /// SHA-256 of each file in hexadecimal, by its path in the model's folder.
    public let files: [String: String]
}
