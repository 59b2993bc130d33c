import Foundation
import Glibc
import Synchronization

/// Programs that the system itself marks as running the code of others, whatever their files are called: one that the `#!` line
/// of an installed script names, one that the kernel starts for a format (binfmt_misc), and one of a package whose section is that
/// of a language, of shells or of debuggers. The names that `Interpreter` knows are besides these.
public final class CodeRunners: Sendable {
    /// A file, whatever its name.
    private struct File: Hashable {
        let device: UInt64
        let inode: UInt64

        init(_ metadata: FileMetadata) { (device, inode) = (metadata.device, metadata.inode) }
    }

    private struct Found {
        /// Folders, formats and packages as they were.
        var sources: [FileMetadata?] = []
        /// Program → what names it.
        var named: [File: String] = [:]
        var answers: [FileMetadata: String?] = [:]
    }

    /// Of Debian's archive: where the programs of packages are the languages themselves.
    private static let sections: Set = [
        "cli-mono", "debug", "gnu-r", "haskell", "interpreters", "java", "javascript", "lisp", "ocaml", "perl", "php",
        "python", "ruby", "shells",
    ]
    /// In a folder.
    private static let mostNames = 20_000
    private static let statusLimit = 64_000_000
    private static let capacity = 1024

    public static let ofSystem = CodeRunners()

    private let folders: [String]
    private let formats: String
    private let status: String
    private let packages: PackageDatabase
    private let found = Mutex(Found())

    /// - Parameters:
    ///   - folders: of programs; only files in them that root alone can write count.
    ///   - formats: where binfmt_misc is mounted.
    ///   - status: dpkg's list of packages with their sections.
    init(
        folders: [String] = ["/usr/bin", "/usr/sbin", "/usr/games", "/usr/local/bin", "/usr/local/sbin"],
        formats: String = "/proc/sys/fs/binfmt_misc", status: String = "/var/lib/dpkg/status",
        packages: PackageDatabase = PackageDatabase()
    ) {
        (self.folders, self.formats, self.status, self.packages) = (folders, formats, status, packages)
    }

    /// Reads the first lines of all installed programs after one was added or removed, which takes about 20 milliseconds.
    ///
    /// - Parameters:
    ///   - path: without links.
    ///   - metadata: of the file.
    ///   - use: `small` if something has to be read.
    /// - Returns: a sentence's end about the program; `nil`: nothing marks it.
    /// - Throws: `notRead` if it would have to read and may not.
    func reason(
        _ path: String, _ metadata: FileMetadata, _ use: FileUse = .whole
    ) throws(ProcessError) -> String? {
        let sources = (folders + [formats, status]).map { try? FileMetadata(path: $0) }
        let known = found.withLock { found -> String?? in found.sources == sources ? found.answers[metadata] : nil }
        if let known { return known }
        try use.require(.small)
        let named = found.withLock { found in found.sources == sources ? found.named : nil } ?? self.named()
        var answer = named[File(metadata)].map { "\($0) runs in it" }
        if answer == nil, let package = try packages.owner(of: path, metadata, use), let section = section(of: package),
            Self.sections.contains(section)
        {
            answer = "its package \(package) is of the section \(section)"
        }
        found.withLock { found in
            if found.sources != sources { found = Found(sources: sources, named: named) }
            if found.answers.count >= Self.capacity { found.answers = [:] }
            found.answers[metadata] = .some(answer)
        }
        return answer
    }

    /// - Parameter path: also of a link.
    public func reason(of path: String) -> String? {
        guard let real = RealPath.of(path), let metadata = try? FileMetadata(path: real) else { return nil }
        return (try? self.reason(real, metadata)) ?? nil
    }

    private func named() -> [File: String] {
        var named: [File: String] = [:]
        func note(_ program: String, by name: String) {
            guard let real = RealPath.of(program), let metadata = try? FileMetadata(path: real) else { return }
            if named[File(metadata)] == nil { named[File(metadata)] = name }
        }
        for folder in folders {
            for name in (try? Folder.names(in: folder, limit: Self.mostNames)) ?? [] {
                if let program = interpreter(of: folder + "/" + name) { note(program, by: "\(folder)/\(name)") }
            }
        }
        for name in (try? Folder.names(in: formats, limit: Self.mostNames)) ?? [] {
            let lines = RegularFile.text(formats + "/" + name, limit: 4096)?.split(separator: "\n") ?? []
            for line in lines where line.hasPrefix("interpreter ") {
                note(String(line.dropFirst("interpreter ".count)), by: "the format \(name) of binfmt_misc")
            }
        }
        return named
    }

    /// What the first line names; with `env`, the program that env(1) finds.
    private func interpreter(of path: String) -> String? {
        guard let metadata = try? FileMetadata(path: path), metadata.isRegularFile, metadata.owner == 0,
            !metadata.isWritableByGroup, !metadata.isWritableByAll, let line = ScriptFile.interpreterLine(of: path)
        else { return nil }
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\r" }).map(String.init)
        guard let program = words.first, program.hasPrefix("/") else { return nil }
        let operands = words.dropFirst().filter { !$0.hasPrefix("-") && !$0.contains("=") }
        guard program.hasSuffix("/env"), let name = operands.first else { return program }
        return folders.lazy.map { $0 + "/" + name }.first { access($0, X_OK) == 0 }
    }

    /// By the entry of dpkg's list: `Package: NAME` and `Section: [AREA/]NAME`.
    private func section(of package: String) -> String? {
        guard let text = RegularFile.text(status, limit: Self.statusLimit),
            let entry = text.range(of: "\nPackage: \(package)\n") ?? text.range(of: "Package: \(package)\n")
        else { return nil }
        for line in text[entry.upperBound...].split(separator: "\n", maxSplits: 30, omittingEmptySubsequences: false) {
            if line.isEmpty { return nil }
            guard line.hasPrefix("Section: ") else { continue }
            return line.dropFirst("Section: ".count).split(separator: "/").last.map(String.init)
        }
        return nil
    }
}
