import Foundation
import RecognizerProtocol

/// The worker's end of the socket to the service. Blocks.
final class ServiceConnection {
    static let descriptor: Int32 = 3

    private var decoder = WyomingDecoder()

    /// The next request, or `nil` when the service closed the socket.
    func next() throws -> WorkerRequest? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let event = try decoder.next() { return try WorkerRequest(event) }
            let count = read(Self.descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            decoder.append(bytes[..<count])
        }
    }

    /// Nothing can be told when this fails, and nobody listens any more: the process ends.
    @Sendable static func send(_ reply: WorkerReply) {
        guard let bytes = try? reply.event.encoded() else { exit(EXIT_FAILURE) }
        write(bytes)
    }

    static func write(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { exit(EXIT_FAILURE) }
            sent += count
        }
    }
}
