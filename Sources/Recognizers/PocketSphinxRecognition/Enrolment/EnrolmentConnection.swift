import Foundation
import RecognizerProtocol

/// The end of the socket to the service in the process that learns a voice. Blocks.
final class EnrolmentConnection {
    private var decoder = WyomingDecoder()

    /// The next request, or `nil` when the service closed the socket.
    func next() throws -> EnrolmentRequest? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let event = try decoder.next() { return try EnrolmentRequest(event) }
            let count = read(ServiceConnection.descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            decoder.append(bytes[..<count])
        }
    }

    @Sendable static func send(_ reply: EnrolmentReply) {
        guard let bytes = try? reply.event.encoded() else { exit(EXIT_FAILURE) }
        ServiceConnection.write(bytes)
    }
}
