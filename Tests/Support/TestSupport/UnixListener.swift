import Foundation
import Glibc

/// A listening Unix socket in its own folder.
public final class UnixListener: Sendable {
    public struct Failure: Error {
        public let number: Int32
    }

    public let path: String
    private let folder: TemporaryFolder
    private let descriptor: Int32

    public init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/s"
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, chmod(path, 0o777) == 0, chmod(folder.path, 0o755) == 0, listen(descriptor, 16) == 0 else {
            throw Failure(number: errno)
        }
    }

    deinit { close(descriptor) }

    /// Waits for a connection. The caller closes it.
    public func accept() -> Int32 { Glibc.accept(descriptor, nil, nil) }
}
