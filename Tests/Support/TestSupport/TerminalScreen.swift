import Foundation
import Glibc

/// A terminal whose screen can be read: a pane of tmux(1), which interprets what is written to it.
public final class TerminalScreen: Sendable {
    public static let program = "/usr/bin/tmux"

    public struct NoTerminal: Error {
        public let path: String
    }

    /// The pane's terminal, as a program has it.
    public let terminal: Int32
    private let folder: TemporaryFolder
    /// Not a daemon, which would keep the descriptors of other tests open.
    private let server: ChildProcess

    public init(columns: Int, rows: Int) throws {
        folder = try TemporaryFolder()
        let (socket, tty) = (folder.path + "/socket", folder.path + "/tty")
        let pane = try folder.write(
            "stty -echo; tty > '\(tty).new'; mv '\(tty).new' '\(tty)'; exec sleep infinity\n", to: "pane")
        let settings = try folder.write(
            """
            set -g status off
            set -g escape-time 0
            new-session -d -x \(columns) -y \(rows) "exec sh '\(pane)'"

            """, to: "conf")
        server = try Self.start(["-D", "-f", settings, "-S", socket])
        // It reads its settings when the first client connects.
        while access(tty, F_OK) != 0 {
            try Task.checkCancellation()
            _ = try Self.start(["-N", "-S", socket, "list-sessions"]).readToEnd()
        }
        let path = try String(contentsOfFile: tty, encoding: .utf8).split(separator: "\n").joined()
        terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { throw NoTerminal(path: path) }
    }

    deinit { close(terminal) }

    /// What the screen shows now, from its top, without spaces at the ends of lines.
    public func lines() throws -> [String] {
        try run(["capture-pane", "-p"]).split(separator: "\n", omittingEmptySubsequences: false).map { line in
            String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
        }
    }

    /// Waits until a line of the screen contains the text, or the test's time is over.
    public func shows(_ text: String) throws -> [String] {
        while true {
            try Task.checkCancellation()
            let lines = try lines()
            if lines.contains(where: { $0.contains(text) }) { return lines }
        }
    }

    public func type(_ key: String) throws { _ = try run(["send-keys", "-l", key]) }

    private func run(_ arguments: [String]) throws -> String {
        try Self.start(["-N", "-S", folder.path + "/socket"] + arguments).readToEnd()
    }

    private static func start(_ arguments: [String]) throws -> ChildProcess {
        try ChildProcess(
            ["/usr/bin/env", "-u", "TMUX", "LC_ALL=C.UTF-8", "TERM=xterm-256color", program, "-u"] + arguments)
    }
}
