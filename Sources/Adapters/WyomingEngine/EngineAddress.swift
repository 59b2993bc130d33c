import Glibc
import NIOCore
import Speech

/// The address of an external engine: `wyoming:unix:///run/user/1000/whisper.sock` or
/// `wyoming:tcp://127.0.0.1:10300`.
public struct EngineAddress: Sendable, Hashable, CustomStringConvertible {
    enum Place: Sendable, Hashable {
        case unix(path: String)
        case tcp(host: String, port: Int)
    }

    let place: Place
    /// The address without `wyoming:`, as administrators allow it in engines.yaml.
    public let location: String

    /// As in the notice and the log.
    public var description: String { Self.scheme + location }

    static let scheme = "wyoming:"
    /// Characters that the notice shows of a recipient's name.
    public static let longest = 100
    /// Bytes of `sockaddr_un.sun_path` without the closing zero (unix(7)).
    private static let longestPath = 107

    /// - Returns: `nil` for any other text.
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
            guard let (host, port) = Self.hostAndPort(location.dropFirst("tcp://".count)), !host.isEmpty,
                !host.contains("/"), !host.contains("@")
            else { return nil }
            place = .tcp(host: host, port: port)
        } else {
            return nil
        }
    }

    /// Reads `host:port`; brackets around an IPv6 address are removed.
    public static func hostAndPort(_ text: Substring) -> (host: String, port: Int)? {
        guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { return nil }
        let host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        return (String(isBracketed ? host.dropFirst().dropLast() : host), Int(port))
    }

    /// Whether it is on this machine. A host name counts as remote, because its address can change.
    public var isLocal: Bool {
        switch place {
        case .unix: true
        case .tcp(let host, let port): (try? SocketAddress(ipAddress: host, port: port))?.isLoopback ?? false
        }
    }

    var died: RecognitionError {
        RecognitionError(
            code: .workerDied,
            message: "\(self) closed the connection before it had answered. See the engine's own log.")
    }

    func garbage(_ what: String) -> RecognitionError {
        RecognitionError(
            code: .protocolViolation, message: "The answer of \(self) \(what). Check that it is a Wyoming engine.")
    }
}

extension SocketAddress {
    /// Whether it is on this machine: 127.0.0.0/8 and ::1 (RFC 1122, section 3.2.1.3; RFC 4291, section 2.5.3).
    public var isLoopback: Bool {
        switch self {
        case .v4(let address): UInt32(bigEndian: address.address.sin_addr.s_addr) >> 24 == 127
        case .v6(let address):
            withUnsafeBytes(of: address.address.sin6_addr) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
        case .unixDomainSocket: false
        }
    }
}
