import Authorization
import CLinux
import Foundation
import Glibc

/// The script that an interpreter runs, kept open, so that a change of its bytes or its name is noticed.
final class ScriptFile: Sendable {
    enum Finding {
        case script(ScriptFile)
        /// The script cannot be determined.
        case none
        /// It has changed since the process started, or cannot be found. Otherwise a program that removes its own script would
        /// be asked about as other code.
        case changed(String)
    }

    /// The most bytes of a command line.
    static let commandLineLimit = 131_072
    /// Nanoseconds. A process's start is counted in 10 ms, a file's time in ticks of a few milliseconds.
    private static let tolerance: Int64 = 50_000_000
    /// As the kernel's (path_resolution(7)).
    private static let linkLimit = 40

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

    /// Finds the script by the process's command line, and opens it relative to the root and working folder of the process.
    static func find(_ interpreter: Interpreter, of process: ProcessStatus, root: String) -> Finding {
        let folder = "\(root)/\(process.processIdentifier)"
        guard let line = commandLine(in: folder),
            case .file(let name) = interpreter.code(in: arguments(of: line)), !name.contains("\0"),
            let path = absolute(name, in: folder), !path.hasPrefix("/dev/"), !path.hasPrefix("/proc/")
        else { return .none }
        let number = vg_open_folder("\(folder)/root")
        guard number >= 0 else { return .none }
        let top = OwnedDescriptor(owning: number)
        let opened = vg_open_in_root(top.rawValue, path)
        guard opened >= 0 else { return .changed(path) }
        let descriptor = OwnedDescriptor(owning: opened)
        guard let metadata = try? FileMetadata(descriptor: opened, path: path) else { return .changed(path) }
        // Python runs folders, too.
        guard metadata.isRegularFile else { return metadata.isDirectory ? .none : .changed(path) }
        let shown = LinkTarget.of("/proc/self/fd/\(opened)") ?? path
        let start = process.startedAt + tolerance
        guard metadata.changedAt <= start, hasOldLinks(path, in: top.rawValue, to: metadata, since: start) else {
            return .changed(shown)
        }
        return .script(
            ScriptFile(path: shown, metadata: metadata, descriptor: descriptor, commandLine: line))
    }

    /// Whether each link on the way to the file is older than the process: a later one may lead elsewhere than the one that
    /// the interpreter followed.
    private static func hasOldLinks(_ path: String, in root: Int32, to file: FileMetadata, since start: Int64) -> Bool {
        var rest = Array(path.split(separator: "/").reversed())
        // Without links, so that ".." is the name before.
        var walked: [Substring] = []
        var links = 0
        var last: FileMetadata?
        while let name = rest.popLast() {
            if name == "." { continue }
            if name == ".." {
                _ = walked.popLast()
                continue
            }
            walked.append(name)
            let entry = OwnedDescriptor(
                owning: vg_open_reference(root, walked.joined(separator: "/"), false))
            guard let metadata = try? FileMetadata(descriptor: entry.rawValue, path: path) else { return false }
            last = metadata
            guard metadata.isLink else { continue }
            links += 1
            guard links <= linkLimit, metadata.changedAt <= start, let target = LinkTarget.of("", in: entry.rawValue)
            else { return false }
            walked = target.hasPrefix("/") ? [] : Array(walked.dropLast())
            rest += target.split(separator: "/").reversed()
        }
        return last?.isSameFile(as: file) == true
    }

    /// Whether the file has not changed, as far as the kernel knows: its file server is not asked.
    var isUnchanged: Bool { (try? FileMetadata(cached: "", in: descriptor.rawValue)) == metadata }

    /// Whether the process still has the command line that names it. The kernel reads the memory of the process, which may be
    /// that of a file whose server does not answer.
    func isNamed(by process: Int32, root: String) -> Bool {
        Self.commandLine(in: "\(root)/\(process)", limit: commandLine.count) == commandLine
    }

    private static func commandLine(in folder: String, limit: Int = commandLineLimit) -> Data? {
        (try? RegularFile(path: folder + "/cmdline", limit: limit))?.data
    }

    /// - Returns: the arguments of a process, the program's name first. One that is not UTF-8 is a zero byte, which no file's
    ///   name has; with replaced bytes it would name another file.
    static func arguments(of line: Data) -> [String] {
        line.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(validating: $0, as: UTF8.self) ?? "\0"
        }
    }

    static func arguments(of process: Int32, root: String) -> [String]? {
        commandLine(in: "\(root)/\(process)").map(arguments)
    }

    /// The first line `#!INTERPRETER [ARGUMENT]` of a file, without `#!`, as far as the kernel reads it (execve(2)).
    static func interpreterLine(of path: String) -> String? {
        let file = OwnedDescriptor(owning: open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC))
        guard file.rawValue >= 0, let head = DescriptorBytes.read(256, from: file.rawValue),
            head.starts(with: Data("#!".utf8))
        else { return nil }
        return String(decoding: head.dropFirst(2).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    private static func absolute(_ name: String, in folder: String) -> String? {
        if name.hasPrefix("/") { return name }
        guard !name.isEmpty, let working = LinkTarget.of(folder + "/cwd"), working.hasPrefix("/") else { return nil }
        return working + "/" + name
    }
}
