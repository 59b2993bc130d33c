import CLinux
import Foundation
import Glibc
import Synchronization

/// A real process, ended and waited for when its owner lets it go.
public final class ChildProcess: Sendable {
    public struct StartFailure: Error {
        public let number: Int32
    }

    public let processIdentifier: Int32
    private let input: Int32
    private let hasInput = Mutex(true)
    private let output: Int32

    /// - Parameters:
    ///   - arguments: the program's absolute path, then its arguments.
    ///   - terminal: a terminal's device; it becomes the controlling terminal of a new session, with the process in its
    ///     foreground job, and its standard input.
    public init(_ arguments: [String], terminal: String? = nil) throws {
        var toChild: [Int32] = [-1, -1]
        var fromChild: [Int32] = [-1, -1]
        guard vg_pipe(&toChild) == 0, vg_pipe(&fromChild) == 0 else { throw StartFailure(number: errno) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads of Swift's pool block signals, and a child would inherit that: Ctrl-Z would do nothing.
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        var flags = Int16(POSIX_SPAWN_SETSIGMASK)
        if let terminal {
            // The first terminal that the leader of a new session opens becomes its controlling one.
            flags |= vg_spawn_setsid
            posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
        } else {
            posix_spawn_file_actions_adddup2(&actions, toChild[0], 0)
        }
        posix_spawnattr_setflags(&attributes, flags)
        posix_spawn_file_actions_adddup2(&actions, fromChild[1], 1)
        // The checkout may be in a folder that the program's user may not enter.
        vg_spawn_change_directory(&actions, "/")
        var identifier: pid_t = 0
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        let failure = posix_spawn(&identifier, arguments[0], &actions, &attributes, &words, environ)
        close(toChild[0])
        close(fromChild[1])
        input = toChild[1]
        output = fromChild[0]
        processIdentifier = identifier
        guard failure == 0 else { throw StartFailure(number: failure) }
    }

    deinit {
        if processIdentifier > 0 {
            kill(processIdentifier, SIGKILL)
            waitpid(processIdentifier, nil, 0)
        }
        closeInput()
        close(output)
    }

    /// Waits for a line on the process's standard output.
    ///
    /// - Returns: the line without its end; what came before, when the output ended.
    public func readLine() -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { line.append(byte) }
        return String(decoding: line, as: UTF8.self)
    }

    /// Waits until the process closes its standard output.
    ///
    /// - Returns: the rest of it.
    public func readToEnd() -> String {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(output, &part, part.count), count > 0 { bytes += part[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    public func writeLine(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(input, bytes, bytes.count)
    }

    /// Nothing more will be written to it.
    public func closeInput() {
        hasInput.withLock { hasInput in
            if hasInput { close(input) }
            hasInput = false
        }
    }

    /// Ends the process and waits for its end.
    public func end() {
        kill(processIdentifier, SIGKILL)
        waitForEnd()
    }

    /// Waits until the process is a zombie, which `deinit` reaps.
    public func waitForEnd() {
        var information = siginfo_t()
        waitid(P_PID, id_t(processIdentifier), &information, WEXITED | WNOWAIT)
    }
}
