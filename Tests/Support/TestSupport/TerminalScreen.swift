import Foundation
import Glibc

/// A terminal whose screen can be read: a pane of tmux(1), which interprets what is written to it.
public final class TerminalScreen: Sendable {
    public struct Failure: Error {
        public let arguments: [String]
    }

    public static let program = "/usr/bin/tmux"

    /// The pane's terminal, as a program has it.
    public let terminal: Int32
    private let folder: TemporaryFolder

    public init(columns: Int, rows: Int) throws {
        folder = try TemporaryFolder()
        let settings = try folder.write("set -g status off\nset -g escape-time 0\n", to: "conf")
        try Self.run([
            "-f", settings, "-S", folder.path + "/socket", "new-session", "-d", "-x", "\(columns)", "-y", "\(rows)",
            "stty -echo; tty > '\(folder.path)/tty.new'; mv '\(folder.path)/tty.new' '\(folder.path)/tty'; exec sleep infinity",
        ])
        while access(folder.path + "/tty", F_OK) != 0 { usleep(1000) }
        let path = try String(contentsOfFile: folder.path + "/tty", encoding: .utf8)
        terminal = open(path.trimmingCharacters(in: .whitespacesAndNewlines), O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw Failure(arguments: [path]) }
    }

    deinit {
        close(terminal)
        _ = try? Self.run(["-S", folder.path + "/socket", "kill-server"])
    }

    /// What the screen shows now, from its top, without spaces at the ends of lines.
    public func lines() throws -> [String] {
        try Self.run(["-S", folder.path + "/socket", "capture-pane", "-p"]).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map { line in String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count)) }
    }

    /// Waits until a line of the screen contains the text.
    public func shows(_ text: String) throws -> [String] {
        while true {
            let lines = try lines()
            if lines.contains(where: { $0.contains(text) }) { return lines }
        }
    }

    public func type(_ key: String) throws {
        try Self.run(["-S", folder.path + "/socket", "send-keys", "-l", key])
    }

    @discardableResult private static func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-u"] + arguments
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(arguments: arguments) }
        return text
    }
}
