import Foundation
import Glibc
import LinuxSystem
import TestSupport

/// An interactive bash with job control on a pseudo-terminal, typed into as a person would.
struct ShellAtTerminal {
    struct NoSuchJob: Error {}

    let terminal: PseudoTerminal
    let shell: ChildProcess

    init() throws {
        terminal = try PseudoTerminal()
        // All three standard descriptors are the terminal.
        shell = try ChildProcess(
            ["/bin/bash", "-c", "exec /bin/bash --norc --noediting -i >&0 2>&0"], terminal: terminal.path)
    }

    func type(_ line: String) { terminal.type(line + "\n") }

    /// Waits until a process below the shell runs the program; the newest, when there are several.
    func process(running program: String) async throws -> Int32 {
        var found: Int32?
        try await until {
            found = Self.descendants(of: shell.processIdentifier).filter { Self.program(of: $0) == program }.max()
            return found != nil
        }
        guard let found else { throw NoSuchJob() }
        return found
    }

    /// Polls, because /proc reports no changes; each poll gives other tasks their turn.
    func until(_ isMet: () throws -> Bool) async throws {
        while try !isMet() {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    private static func program(of process: Int32) -> String? {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")).map {
            ($0 as NSString).lastPathComponent
        }
    }

    private static func descendants(of process: Int32) -> [Int32] {
        let path = "/proc/\(process)/task/\(process)/children"
        let children = ((try? String(contentsOfFile: path, encoding: .utf8)) ?? "").split(separator: " ")
            .compactMap { Int32($0) }
        return children + children.flatMap { descendants(of: $0) }
    }
}
