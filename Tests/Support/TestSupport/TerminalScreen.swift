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
    /// In the foreground: one that becomes a daemon keeps what `Process` waits for.
    private let server: ChildProcess

    public init(columns: Int, rows: Int) throws {
        folder = try TemporaryFolder()
        let (socket, device) = (folder.path + "/socket", folder.path + "/tty")
        let pane = try folder.write(
            "stty -echo; tty > '\(device).new'; mv '\(device).new' '\(device)'; exec sleep infinity\n", to: "pane")
        let settings = try folder.write(
            """
            set -g status off
            set -g escape-time 0
            new-session -d -x \(columns) -y \(rows) "exec sh '\(pane)'"

            """, to: "conf")
        server = try ChildProcess(
            ["/usr/bin/env"] + Self.environment.map { "\($0)=\($1)" } + [
                Self.program, "-u", "-D", "-f", settings, "-S", socket,
            ])
        // The server reads its settings when its first client comes.
        while access(device, F_OK) != 0 { _ = try? Self.run(["-N", "-S", socket, "list-sessions"]) }
        let path = try String(contentsOfFile: device, encoding: .utf8)
        terminal = open(path.trimmingCharacters(in: .whitespacesAndNewlines), O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw Failure(arguments: [path]) }
    }

    deinit { close(terminal) }

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

    private static let environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TERM": "xterm-256color"]

    @discardableResult private static func run(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = ["-u"] + arguments
        process.environment = environment
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
