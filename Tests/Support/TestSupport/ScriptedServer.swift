import Foundation
import Synchronization

/// A server that answers each connection with the bytes of a test's script, HTTP or not.
public final class ScriptedServer: Sendable {
    public struct Request: Sendable {
        public let line: String
        public let head: String
        public let body: String
    }

    /// One accepted connection, closed when the script returns.
    public struct Connection: Sendable {
        let descriptor: Int32

        public func send(_ text: String) {
            var bytes = Array(text.utf8)[...]
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return }
                bytes = bytes.dropFirst(count)
            }
        }

        /// An answer whose body comes later, in any number of chunks.
        public func sendHead(_ status: String = "200 OK") {
            send("HTTP/1.1 \(status)\r\nTransfer-Encoding: chunked\r\n\r\n")
        }

        public func sendLine(_ line: String) { send(String(line.utf8.count + 1, radix: 16) + "\r\n" + line + "\n\r\n") }

        public func sendEnd() { send("0\r\n\r\n") }

        public func sendWhole(_ status: String, _ body: String) {
            send("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        }

        /// Returns when the other side has closed.
        public func waitForClose() {
            var byte: UInt8 = 0
            while Glibc.read(descriptor, &byte, 1) == 1 {}
        }

        /// Returns when the other side has taken all that was sent (SIOCOUTQ, of unread bytes).
        public func waitUntilTaken() {
            var unread: Int32 = 1
            while ioctl(descriptor, UInt(TIOCOUTQ), &unread) == 0, unread > 0 { sched_yield() }
        }

        public func readUntil(_ mark: String) -> String {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            let mark = Array(mark.utf8)
            while !bytes.suffix(mark.count).elementsEqual(mark), Glibc.read(descriptor, &byte, 1) == 1 {
                bytes.append(byte)
            }
            return String(decoding: bytes, as: UTF8.self)
        }

        public func read(count: Int) -> String {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while bytes.count < count, Glibc.read(descriptor, &byte, 1) == 1 { bytes.append(byte) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    public let path: String
    private let log = Log()
    private let ended = AsyncStream.makeStream(of: Void.self)

    private final class Log: Sendable {
        public let lines = Mutex<[String]>([])
    }

    /// - Parameter connections: how many are answered; each on its own thread, so that one may wait for another.
    public init(connections: Int = 1, _ script: @escaping @Sendable (Request, Connection) -> Void) throws {
        let listener = try UnixListener()
        path = listener.path
        Thread.detachNewThread { [log, ended] in
            for _ in 0..<connections {
                let connection = Connection(descriptor: listener.accept())
                Thread.detachNewThread {
                    let head = connection.readUntil("\r\n\r\n")
                    let line = head.prefix { $0 != "\r\n" }
                    let length = head.lowercased().firstMatch(of: /content-length: ([0-9]+)/).flatMap { Int($0.1) }
                    let body =
                        head.lowercased().contains("chunked")
                        ? "" : connection.read(count: length ?? 0)
                    log.lines.withLock { $0.append(String(line)) }
                    script(Request(line: String(line), head: head, body: body), connection)
                    ended.continuation.yield()
                    close(connection.descriptor)
                }
            }
        }
    }

    /// Answers one request with these lines, and keeps its connection until the client closes it.
    public static func streaming(_ lines: String...) throws -> ScriptedServer {
        try ScriptedServer { _, connection in
            connection.sendHead()
            for line in lines { connection.sendLine(line) }
            connection.waitForClose()
        }
    }

    /// Answers each request with the same.
    public static func answering(
        _ body: String, status: String = "200 OK", connections: Int = 1
    ) throws -> ScriptedServer {
        try ScriptedServer(connections: connections) { _, connection in connection.sendWhole(status, body) }
    }

    /// Returns when the script of a request has ended.
    public func isOver() async { for await _ in ended.stream { return } }

    /// The first line of each request, in the order they came.
    public var requests: [String] { log.lines.withLock { $0 } }
}
