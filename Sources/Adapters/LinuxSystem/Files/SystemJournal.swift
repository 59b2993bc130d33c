import Foundation
import Glibc

/// The system's journal: entries of systemd-journald by its native protocol, or of syslog(3) where there is none.
///
/// A user cannot change the entries of their own service; root can.
public struct SystemJournal: Sendable {
    private let socket: String
    private let syslog: String
    private let identifier: String

    /// - Parameters:
    ///   - socket: journald's.
    ///   - syslog: the socket of syslog(3), without which its entries are lost.
    ///   - identifier: of the program that writes.
    public init(
        socket: String = "/run/systemd/journal/socket", syslog: String = "/dev/log", identifier: String = "voicegated"
    ) {
        self.socket = socket
        self.syslog = syslog
        self.identifier = identifier
    }

    /// - Parameters:
    ///   - message: one line.
    ///   - fields: names of capital letters, digits and underscores; values of one line.
    /// - Throws: `FileError` if there is neither journald nor syslog, or journald does not take it.
    public func write(_ message: String, fields: KeyValuePairs<String, String> = [:]) throws {
        if access(socket, F_OK) == 0 { return try send(message, fields) }
        guard access(syslog, F_OK) == 0 else {
            throw FileError(code: .missing, path: socket, reason: "there is no journal and no system log")
        }
        message.withCString { text in
            withVaList([text]) { vsyslog(LOG_DAEMON | LOG_INFO, "voicegated: %s", $0) }
        }
    }

    /// systemd.journal-fields(7), and https://systemd.io/JOURNAL_NATIVE_PROTOCOL: a datagram of lines `FIELD=value`.
    private func send(_ message: String, _ fields: KeyValuePairs<String, String>) throws {
        let lines = [("MESSAGE", message), ("PRIORITY", "6"), ("SYSLOG_IDENTIFIER", identifier)] + Array(fields)
        let datagram = lines.map { "\($0.0)=\($0.1.replacing("\n", with: " "))\n" }.joined()
        let descriptor = OwnedDescriptor(
            owning: Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let path = Array(socket.utf8)
        guard path.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw FileError(code: .failed, path: socket, reason: "its path is too long")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let bytes = Array(datagram.utf8)
        // Safe: the address outlives the call, and sockaddr_un begins as sockaddr does.
        let count = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(
                    descriptor.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), $0,
                    socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard count == bytes.count else {
            throw FileError(code: .failed, path: socket, reason: String(cString: strerror(errno)))
        }
    }
}
