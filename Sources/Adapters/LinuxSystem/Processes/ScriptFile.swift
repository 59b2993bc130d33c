import Authorization
import CLinux
import Foundation
import Glibc

/// The script that an interpreter runs, held open. Neither its bytes nor its name can change unnoticed while it is.
final class ScriptFile: Sendable {
    enum Finding {
        case script(ScriptFile)
        /// There is no file that could be shown to be what runs.
        case none
        /// It is not what the process began with.
        case changed(String)
    }

    /// Bytes of a command line that are read.
    static let commandLineLimit = 131_072
    /// A process's start is counted in hundredths of a second, and a file's time in ticks of a few milliseconds.
    private static let tolerance: Int64 = 50_000_000

    let path: String
    let metadata: FileMetadata
    let descriptor: OwnedDescriptor
    private let commandLine: Data

    private init(path: String, metadata: FileMetadata, descriptor: consuming OwnedDescriptor, commandLine: Data) {
        self.path = path
        self.metadata = metadata
        self.descriptor = descriptor
        self.commandLine = commandLine
    }

    /// Finds the script by the process's command line, and opens it as the process would: from its root folder and its
    /// working folder.
    static func find(_ interpreter: Interpreter, of process: ProcessStatus, root: String) -> Finding {
        let folder = "\(root)/\(process.processIdentifier)"
        guard let line = commandLine(in: folder),
            case .file(let name) = interpreter.code(in: arguments(of: line)),
            let path = absolute(name, in: folder)
        else { return .none }
        let number = vg_open_folder("\(folder)/root")
        guard number >= 0 else { return .none }
        let top = OwnedDescriptor(owning: number)
        let opened = vg_open_in_root(top.rawValue, path)
        guard opened >= 0 else { return .none }
        let descriptor = OwnedDescriptor(owning: opened)
        guard let metadata = try? FileMetadata(descriptor: opened, path: path), metadata.isRegularFile else {
            return .none
        }
        let shown = LinkTarget.of("/proc/self/fd/\(opened)") ?? path
        guard metadata.changedAt <= process.startedAt + tolerance else { return .changed(shown) }
        return .script(
            ScriptFile(path: shown, metadata: metadata, descriptor: descriptor, commandLine: line))
    }

    /// Whether the process still runs it: neither the file nor the command line has changed. The latter would, if it ran
    /// the same interpreter on something else.
    func isUnchanged(of process: Int32, root: String) -> Bool {
        (try? FileMetadata(descriptor: descriptor.rawValue, path: path)) == metadata
            && Self.commandLine(in: "\(root)/\(process)", limit: commandLine.count) == commandLine
    }

    private static func commandLine(in folder: String, limit: Int = commandLineLimit) -> Data? {
        (try? RegularFile(path: folder + "/cmdline", limit: limit))?.data
    }

    /// - Returns: the arguments of a process, the program's name first.
    static func arguments(of line: Data) -> [String] {
        line.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }

    static func arguments(of process: Int32, root: String) -> [String]? {
        commandLine(in: "\(root)/\(process)").map(arguments)
    }

    private static func absolute(_ name: String, in folder: String) -> String? {
        if name.hasPrefix("/") { return name }
        guard !name.isEmpty, let working = LinkTarget.of(folder + "/cwd"), working.hasPrefix("/") else { return nil }
        return working + "/" + name
    }
}
