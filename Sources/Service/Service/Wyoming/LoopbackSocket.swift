import Glibc
import NIOCore
import Synchronization
import WyomingEngine

/// A TCP port that only this machine can reach.
final class LoopbackSocket: Sendable {
    let address: String
    /// Non-blocking and listening; −1 once somebody else owns it.
    private let descriptor: Mutex<Int32>

    /// - Parameter text: `127.0.0.1:10300` or `[::1]:10300`: numbers only, so that nobody's name service decides.
    /// - Throws: `configuration` for an address that is not this machine's alone, `socketPath` where it cannot be had.
    init(_ text: String) throws(ServiceError) {
        guard let address = Self.parse(text) else {
            throw ServiceError(
                code: .configuration,
                message: "wyoming: tcp: is an address of this machine alone with a port, such as 127.0.0.1:10300 or "
                    + "[::1]:10300; “\(text.prefix(60))” is none. Wyoming has no passwords, so nothing else is served.")
        }
        self.address = text
        let family = address.protocol == .inet ? AF_INET : AF_INET6
        let socket = socket(family, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC | O_NONBLOCK, 0)
        guard socket >= 0 else {
            throw ServiceError(
                code: .socketPath,
                message:
                    "This service has no network for wyoming: tcp: (\(String(cString: strerror(errno)))). Take that key "
                    + "out of the configuration; the Unix socket serves Wyoming too.")
        }
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let isBound = address.withSockAddr { pointer, size in bind(socket, pointer, socklen_t(size)) }
        guard isBound == 0, listen(socket, 128) == 0 else {
            let reason = String(cString: strerror(errno))
            close(socket)
            throw ServiceError(
                code: .socketPath,
                message: "The address \(text) of wyoming: tcp: cannot be listened on: \(reason). Choose another port.")
        }
        descriptor = Mutex(socket)
    }

    deinit {
        let descriptor = takeDescriptor()
        if descriptor >= 0 { close(descriptor) }
    }

    /// Hands the listening descriptor on to the one who closes it.
    func takeDescriptor() -> Int32 {
        descriptor.withLock {
            let taken = $0
            $0 = -1
            return taken
        }
    }

    private static func parse(_ text: String) -> SocketAddress? {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { return nil }
        var host = String(text[..<colon])
        if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
        guard let address = try? SocketAddress(ipAddress: host, port: Int(port)), address.isLoopback else { return nil }
        return address
    }
}
