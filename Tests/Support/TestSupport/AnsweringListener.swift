import Foundation
import Glibc
import Synchronization

/// A server of one word, at any kind of local address: every connection gets an HTTP answer, and is counted.
public final class AnsweringListener: Sendable {
    public enum Address: Sendable {
        /// On the loopback device, at a port that the kernel chooses.
        case tcp
        /// A name of the network namespace alone (unix(7)).
        case abstract(String)
        case file(String)
    }

    public struct Failure: Error {
        public let number: Int32
    }

    public static let answer = "somebody is here"

    /// Of `tcp`.
    public let port: UInt16
    private let descriptor: Int32
    private let file: String?
    private let counted = Mutex(0)

    /// Connections that were made.
    public var count: Int { counted.withLock { $0 } }

    public init(_ address: Address) throws {
        if case .file(let path) = address { file = path } else { file = nil }
        var isInternet = false
        if case .tcp = address { isInternet = true }
        let descriptor = socket(
            isInternet ? AF_INET : AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        guard Self.bind(descriptor, address), listen(descriptor, 16) == 0 else {
            let number = errno
            close(descriptor)
            throw Failure(number: number)
        }
        var name = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        port = isInternet ? UInt16(bigEndian: name.sin_port) : 0
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                self?.counted.withLock { $0 += 1 }
                var request = [UInt8](repeating: 0, count: 4096)
                _ = recv(connection, &request, request.count, 0)
                let text = "HTTP/1.0 200 OK\r\nConnection: close\r\n\r\n\(Self.answer)\n"
                _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
                close(connection)
            }
        }
    }

    deinit {
        // Wakes the thread, which a close alone would not.
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
        if let file { unlink(file) }
    }

    private static func bind(_ descriptor: Int32, _ address: Address) -> Bool {
        func bind(_ name: UnsafeRawBufferPointer) -> Bool {
            guard let start = name.baseAddress else { return false }
            return Glibc.bind(descriptor, start.assumingMemoryBound(to: sockaddr.self), socklen_t(name.count)) == 0
        }
        func bind(path: [UInt8]) -> Bool {
            var name = sockaddr_un()
            name.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &name.sun_path) { $0.copyBytes(from: path) }
            let length = MemoryLayout<sa_family_t>.size + path.count
            return withUnsafeBytes(of: &name) { bind(UnsafeRawBufferPointer(rebasing: $0[..<length])) }
        }
        switch address {
        case .tcp:
            var name = sockaddr_in()
            name.sin_family = sa_family_t(AF_INET)
            name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return withUnsafeBytes(of: &name) { bind($0) }
        case .abstract(let text): return bind(path: [0] + text.utf8)
        case .file(let path): return bind(path: Array(path.utf8) + [0])
        }
    }
}
