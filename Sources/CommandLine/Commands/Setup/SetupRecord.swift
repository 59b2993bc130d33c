import Foundation
import LinuxSystem
import SocketAPI

/// The changes of `voicegate setup`, in their order, so that they can be undone.
struct SetupRecord: Codable, Sendable, Hashable {
    enum Change: Codable, Sendable, Hashable {
        /// A file was written.
        ///
        /// - Parameters:
        ///   - text: what was written; a file that has another text by now is the user's, and is left.
        ///   - previous: what it had before; absent: there was none.
        case file(path: String, text: String, previous: String?)
        case engineInstalled(id: String)
        /// Which engine recognised dictations before; absent: the one that is built in.
        case engineUsed(id: String, previous: String?)
        /// A unit of the user's systemd.
        case unitEnabled(name: String)
    }

    var changes: [Change] = []

    /// Beside config.yaml.
    static func path(_ paths: ServicePaths = ServicePaths()) -> String {
        paths.configurationDirectory + "/setup.json"
    }

    /// - Returns: an empty one if there is no file.
    static func read(_ path: String) throws -> SetupRecord {
        guard FileManager.default.fileExists(atPath: path) else { return SetupRecord() }
        do {
            return try JSONDecoder().decode(SetupRecord.self, from: try RegularFile(path: path, limit: 4 << 20).data)
        } catch {
            throw CommandError(
                .badConfiguration, "\(path), the list of what was set up, cannot be read. Remove it to start a new one."
            )
        }
    }

    /// Removes the file if there is nothing to undo.
    func write(to path: String) throws {
        guard !changes.isEmpty else {
            try? FileManager.default.removeItem(atPath: path)
            return
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try SetupFile.write(String(decoding: try encoder.encode(self), as: UTF8.self) + "\n", to: path)
    }
}

/// The files that setup writes, all of them the user's.
enum SetupFile {
    static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }

    static func write(_ text: String, to path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            throw CommandError.cannotWrite(path, error.localizedDescription)
        }
    }

    /// - Returns: `nil` if it has this text already.
    static func change(_ path: String, to text: String) throws -> SetupRecord.Change? {
        let previous = self.text(path)
        guard previous != text else { return nil }
        try write(text, to: path)
        return .file(path: path, text: text, previous: previous)
    }

    /// - Returns: `false` if the user has changed it since, and it was left.
    static func restore(_ path: String, from text: String, to previous: String?) throws -> Bool {
        guard let present = self.text(path) else { return true }
        guard present == text else { return false }
        if let previous {
            try write(previous, to: path)
        } else {
            do { try FileManager.default.removeItem(atPath: path) } catch {
                throw CommandError.cannotWrite(path, error.localizedDescription)
            }
        }
        return true
    }
}

extension String {
    /// A text of YAML with a top-level key's value; all other lines stay. The value is quoted.
    func setting(_ key: String, to value: String) -> String {
        let line = "\(key): \"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
        var lines = split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        if let place = lines.firstIndex(where: { $0.hasPrefix(key + ":") }) {
            lines[place] = line
            return lines.joined(separator: "\n")
        }
        return isEmpty || hasSuffix("\n") ? self + line + "\n" : self + "\n" + line + "\n"
    }
}
