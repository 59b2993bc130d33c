import CLinux
import Foundation
import LinuxSystem

/// A program that was started with a socket for its protocol and one for its standard error.
struct SpawnedProgram {
    let process: pid_t
    let socket: Int32
    let log: Int32

    /// - Parameter command: the path of the program, and its arguments.
    init(_ command: [String]) throws(SpawnError) {
        guard let (socket, theirSocket) = SocketPair.make() else { throw SpawnError(errorNumber: errno) }
        guard let (log, theirLog) = SocketPair.make() else {
            let number = errno
            for descriptor in [socket, theirSocket] { close(descriptor) }
            throw SpawnError(errorNumber: number)
        }
        defer { for descriptor in [theirSocket, theirLog] { close(descriptor) } }
        // Its libraries' folder is all that it gets of our environment. A backtrace would take seconds and could contain
        // what was said.
        let libraries = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
        let variables =
            ["LANG=C.UTF-8", "SWIFT_BACKTRACE=enable=no"] + (libraries.map { ["LD_LIBRARY_PATH=" + $0] } ?? [])
        var process: pid_t = 0
        let error = CStrings.with(command) { arguments in
            CStrings.with(variables) { environment in
                vg_worker_spawn(command[0], arguments, environment, theirSocket, theirLog, &process)
            }
        }
        guard error == 0 else {
            for descriptor in [socket, log] { close(descriptor) }
            throw SpawnError(errorNumber: error)
        }
        (self.process, self.socket, self.log) = (process, socket, log)
    }
}

/// Connected sockets that no other child of this process inherits: the kernel marks them as it makes them.
enum SocketPair {
    static func make() -> (Int32, Int32)? {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        return (ends[0], ends[1])
    }

    static func makeNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
}

/// Cuts a program's standard error into lines. Bounded: excess output costs neither memory nor disk.
struct LogLines {
    private static let longestLine = 2_000
    private static let mostLines = 200

    private var partial: [UInt8] = []
    private var count = 0
    /// The last line that reports an error.
    private(set) var lastError: String?

    /// - Returns: complete lines, and whether each reports an error.
    mutating func take(_ bytes: [UInt8]) -> [(isError: Bool, text: String)] {
        var lines: [(isError: Bool, text: String)] = []
        for byte in bytes {
            guard byte == UInt8(ascii: "\n") else {
                if partial.count < Self.longestLine { partial.append(byte) }
                continue
            }
            if let line = finish() { lines.append(line) }
        }
        return lines
    }

    private mutating func finish() -> (isError: Bool, text: String)? {
        let line = String(decoding: partial, as: UTF8.self)
        partial = []
        guard count < Self.mostLines, !line.isEmpty else { return nil }
        count += 1
        let isError = line.hasPrefix("error ")
        let text = String(line.dropFirst(isError ? 6 : line.hasPrefix("warning ") ? 8 : 0))
        if isError { lastError = text }
        return (isError, text)
    }
}
