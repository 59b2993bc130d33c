import Foundation
import VoiceGateWire

/// Connects to the service's socket, and only if no other user can have put it there.
enum ServerSocket {
    /// The kernel's `struct ucred` (unix(7), SO_PEERCRED), which Swift's Glibc does not show.
    private struct Credentials {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// - Returns: a connected, non-blocking descriptor, which the caller owns.
    /// - Throws: `ClientError`
    static func connect(to path: String) async throws -> CInt {
        do {
            try SocketPath.check(path)
        } catch let error as SocketPathError {
            throw ClientError(code: .unusablePath, message: error.message)
        }
        try checkPlace(of: path)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, kind, 0)
        guard descriptor >= 0 else { throw unreachable(path, errno) }
        do {
            try await connect(descriptor, to: path)
            try checkPeer(of: descriptor, path: path)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func connect(_ descriptor: CInt, to path: String) async throws {
        for _ in 0..<100 {
            let result = SocketPath.withAddress(path) { Glibc.connect(descriptor, $0, $1) }
            if result == 0 { return }
            // EAGAIN: the listener's queue is full (connect(2)); the service empties it within milliseconds.
            guard errno == EAGAIN else { throw unreachable(path, errno) }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw unreachable(path, EAGAIN)
    }

    /// In a directory that others may write to, they could replace the service's socket with their own.
    private static func checkPlace(of path: String) throws {
        let directory = SocketPath.directory(of: path)
        var status = stat()
        guard stat(directory, &status) == 0 else { throw unreachable(path, errno) }
        let isSticky = status.st_mode & S_ISVTX != 0
        guard isTrusted(status.st_uid), isSticky || status.st_mode & 0o022 == 0 else {
            throw untrusted("others can write into \(directory)")
        }
        guard lstat(path, &status) == 0 else { throw unreachable(path, errno) }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw untrusted("\(path) is not a socket") }
        guard isTrusted(status.st_uid) else { throw untrusted("\(path) belongs to another user") }
    }

    private static func checkPeer(of descriptor: CInt, path: String) throws {
        var credentials = Credentials()
        var size = socklen_t(MemoryLayout<Credentials>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
            throw unreachable(path, errno)
        }
        // A socket that only root can have put there is the machine's own service, which runs neither as root nor as this
        // user.
        guard isTrusted(credentials.user) || SocketPath.isRoots(path) else {
            throw untrusted("another user's program listens at \(path)")
        }
    }

    private static func isTrusted(_ user: UInt32) -> Bool { user == getuid() || user == 0 }

    private static func unreachable(_ path: String, _ number: Int32) -> ClientError {
        if number == ENOENT || number == ECONNREFUSED {
            return ClientError(
                code: .notRunning,
                message: "No VoiceGate service listens at \(path). Start it: voicegate service start",
                errorNumber: number)
        }
        let reason = number == EAGAIN ? "it has too many connections waiting" : String(cString: strerror(number))
        return ClientError(
            code: .cannotConnect, message: "The service at \(path) cannot be reached: \(reason).", errorNumber: number)
    }

    private static func untrusted(_ what: String) -> ClientError {
        ClientError(
            code: .untrustedServer,
            message: "Not connecting, because \(what). The service's directory must be yours alone (chmod 700).")
    }
}
