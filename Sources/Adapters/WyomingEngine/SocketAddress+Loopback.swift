import Glibc
import NIOCore

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
