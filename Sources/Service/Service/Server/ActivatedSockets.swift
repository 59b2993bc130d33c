import Foundation
import Glibc

/// Listening sockets that a service manager opened before it started this process (sd_listen_fds(3)).
struct ActivatedSockets: Sendable {
    /// Descriptors that are looked at; a manager that hands over more is not ours.
    private static let most: Int32 = 16
    /// The first one, by the protocol.
    private static let first: Int32 = 3

    /// Path → descriptor, close-on-exec and non-blocking.
    let descriptors: [String: Int32]

    /// Those of this process. Taken once; what it starts does not see them.
    static let ofProcess = take()

    init(descriptors: [String: Int32] = [:]) { self.descriptors = descriptors }

    /// Changes the environment, so it is for a process with one thread.
    private static func take() -> ActivatedSockets {
        let environment = ProcessInfo.processInfo.environment
        for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] { unsetenv(name) }
        return ActivatedSockets(
            descriptors: listening(count(in: environment, process: getpid()).map { first..<(first + $0) } ?? 0..<0))
    }

    /// - Returns: `nil` where the sockets are for another process, such as the one that started this one.
    static func count(in environment: [String: String], process: Int32) -> Int32? {
        guard environment["LISTEN_PID"] == "\(process)",
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }), (1...most).contains(count)
        else { return nil }
        return count
    }

    /// Those of the descriptors that are listening stream sockets with a path. The others are left alone.
    static func listening(_ range: Range<Int32>) -> [String: Int32] {
        var found: [String: Int32] = [:]
        for descriptor in range {
            guard option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
                option(SO_ACCEPTCONN, of: descriptor) == 1, let path = path(of: descriptor)
            else { continue }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
            found[path] = descriptor
        }
        return found
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }

    private static func path(of descriptor: Int32) -> String? {
        var address = sockaddr_un()
        var size = socklen_t(MemoryLayout<sockaddr_un>.size)
        // Safe: the address outlives the call, and sockaddr_un begins as sockaddr does.
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
        let path = withUnsafeBytes(of: address.sun_path) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return path.hasPrefix("/") ? path : nil
    }
}
