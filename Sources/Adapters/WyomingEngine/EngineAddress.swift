import Glibc
import NIOCore

/// Where an engine outside of the service listens: `wyoming:unix:///run/user/1000/whisper.sock` or
/// `wyoming:tcp://127.0.0.1:10300`.
public struct EngineAddress: Sendable, Hashable, CustomStringConvertible {
    enum Place: Sendable, Hashable {
        case unix(path: String)
        case tcp(host: String, port: Int)
    }

    let place: Place
    /// As it was written, without `wyoming:`; what an administrator allows.
    public let location: String

    /// As the notice and the log name it.
    public var description: String { Self.scheme + location }

    static let scheme = "wyoming:"
    /// Characters; the notice shows no more of a recipient's name.
    public static let longest = 100
    /// Bytes of `sockaddr_un.sun_path` without the closing zero (unix(7)).
    private static let longestPath = 107

    /// - Returns: `nil` for what is no such address.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.scheme), text.count <= Self.longest,
            text.unicodeScalars.allSatisfy({ $0.isASCII && $0.value > 0x20 && $0.value != 0x7F })
        else { return nil }
        location = String(text.dropFirst(Self.scheme.count))
        if location.hasPrefix("unix:///") {
            let path = String(location.dropFirst("unix://".count))
            guard path.utf8.count <= Self.longestPath, path.count > 1, !path.hasSuffix("/") else { return nil }
            place = .unix(path: path)
        } else if location.hasPrefix("tcp://") {
            let rest = location.dropFirst("tcp://".count)
            guard let colon = rest.lastIndex(of: ":"), let port = UInt16(rest[rest.index(after: colon)...]), port > 0
            else { return nil }
            var host = String(rest[..<colon])
            if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
            guard !host.isEmpty, !host.contains("/"), !host.contains("@") else { return nil }
            place = .tcp(host: host, port: Int(port))
        } else {
            return nil
        }
    }

    /// Whether it leads nowhere but to this machine. A name is not believed: who knows what it leads to tomorrow.
    public var isLocal: Bool {
        switch place {
        case .unix: true
        case .tcp(let host, let port): (try? SocketAddress(ipAddress: host, port: port))?.isLoopback ?? false
        }
    }
}

extension SocketAddress {
    /// Whether it leads nowhere but to this machine: 127.0.0.0/8 and ::1 (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3).
    public var isLoopback: Bool {
        switch self {
        case .v4(let address): UInt32(bigEndian: address.address.sin_addr.s_addr) >> 24 == 127
        case .v6(let address):
            withUnsafeBytes(of: address.address.sin6_addr) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
        case .unixDomainSocket: false
        }
    }
}
