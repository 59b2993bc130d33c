import Glibc

/// A TCP port of this machine without a listener at the moment.
public enum FreePort {
    public struct Failure: Error { public let number: Int32 }

    public static func find() throws -> Int {
        // Below the ports that the kernel gives to clients, so that none gets it before a server does.
        for port in (20_000..<32_768).shuffled() {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = UInt16(port).bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            let isFree = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            if isFree { return port }
        }
        throw Failure(number: EADDRINUSE)
    }
}
