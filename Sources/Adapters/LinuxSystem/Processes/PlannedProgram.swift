import Authorization
import Base
import CLinux
import Foundation
import Glibc

/// The file that a command will run, and the script if the file is an interpreter, determined before it starts.
public struct PlannedProgram: Sendable {
    /// The most interpreters that are scripts themselves; the kernel's limit (execve(2)).
    private static let mostInterpreters = 5

    /// The absolute path to execute.
    public let path: String
    /// The absolute path of the file that runs, with its links: of a script's interpreter, else of the program.
    public let runner: String
    /// The program as a caller of the given user, without a process.
    public let caller: Caller

    /// - Parameters:
    ///   - command: the program and its arguments.
    ///   - searchPath: `PATH`, for a program without a slash.
    /// - Throws: `noProgram` when it does not exist or cannot be executed.
    public init(
        _ command: [String], searchPath: String?, folder: String, user: UInt32 = geteuid()
    ) throws(ProcessError) {
        let search = { (name: String) throws(ProcessError) in
            try Self.find(name, searchPath: searchPath ?? "/usr/local/bin:/usr/bin:/bin", folder: folder)
        }
        path = try search(command.first ?? "")
        var words = [path] + command.dropFirst()
        for _ in 0..<Self.mostInterpreters {
            guard let interpreter = Self.interpreter(of: words[0]) else { break }
            words = interpreter + words
            words[0] = try search(words[0])
        }
        if words[0].hasSuffix("/env"), let named = Self.namedByEnvironment(words) {
            words = named
            words[0] = try search(words[0])
        }
        runner = words[0]
        let program = try Self.executable(words[0])
        var evidence = Evidence.executable
        var executable = program
        if let interpreter = Interpreter(program: program.path) {
            evidence = .interpreter
            if case .file(let script) = interpreter.code(in: words) {
                evidence = .script(interpreter: program)
                executable = try Self.executable(script.hasPrefix("/") ? script : folder + "/" + script)
            }
        } else if CodeRunners.ofSystem.reason(of: program.path) != nil {
            evidence = .interpreter
        }
        caller = Caller(
            process: ProcessIdentity(processIdentifier: 0, startTime: 0), user: user, executable: executable,
            evidence: evidence)
    }

    private static func find(_ name: String, searchPath: String, folder: String) throws(ProcessError) -> String {
        if name.contains("/") {
            let path = name.hasPrefix("/") ? name : folder + "/" + name
            if ProgramEnvironment.isExecutable(path) { return path }
        } else if let path = ProgramEnvironment.find(name, in: searchPath) {
            return path
        }
        throw ProcessError(
            code: .noProgram,
            message: "There is no program \(DisplayText.cleaned(name, limit: 200)) that can be run. Check its name.")
    }

    /// The text after the interpreter is one argument (execve(2)).
    private static func interpreter(of path: String) -> [String]? {
        guard let line = ScriptFile.interpreterLine(of: path) else { return nil }
        let words = line.split(maxSplits: 1, whereSeparator: { $0 == " " || $0 == "\t" })
        return words.isEmpty ? nil : words.map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// `env NAME …` and `env -S "NAME …"`, the two usual forms.
    private static func namedByEnvironment(_ words: [String]) -> [String]? {
        guard words.count > 1 else { return nil }
        if words[1].hasPrefix("-S") {
            return words[1].dropFirst(2).split(separator: " ").map(String.init) + words.dropFirst(2)
        }
        return words[1].hasPrefix("-") || words[1].contains("=") ? nil : Array(words.dropFirst())
    }

    private static func executable(_ path: String) throws(ProcessError) -> Executable {
        guard let resolved = RealPath.of(path), let file = try? FileMetadata(path: resolved), file.isRegularFile else {
            throw ProcessError(
                code: .noProgram, message: "\(DisplayText.cleaned(path, limit: 200)) cannot be read. Check its name.")
        }
        return Executable(path: resolved, device: file.device, inode: file.inode, sha256: "")
    }
}
