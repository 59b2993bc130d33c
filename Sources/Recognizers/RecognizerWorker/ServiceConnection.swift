import Foundation
import RecognizerProtocol
import Speech

extension RecognitionError {
    public static let outOfOrder = RecognitionError(
        code: .protocolViolation, message: "The request does not fit what came before it.")

    public init(_ error: any Error) {
        self = error as? RecognitionError ?? RecognitionError(code: .protocolViolation, message: "\(error)")
    }
}

/// The worker's end of the socket to the service. Blocks.
public final class ServiceConnection {
    public static let descriptor: Int32 = 3

    private var decoder = WyomingDecoder()

    public init() {}

    /// The next message, or `nil` when the service closed the socket.
    public func next() throws -> WorkerRequest? {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let event = try decoder.next() { return try WorkerRequest(event) }
            let count = read(Self.descriptor, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            decoder.append(bytes[..<count])
        }
    }

    /// Ends the process if the service no longer reads.
    @Sendable public static func send(_ reply: WorkerReply) {
        guard let bytes = try? reply.event.encoded(), write(bytes, to: descriptor) else { exit(EXIT_FAILURE) }
    }

    /// - Returns: whether everything was written.
    public static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }
}

/// The worker's log: lines on standard error that begin with their level, for the service.
public enum EngineLog {
    public static func write(_ level: String, _ message: String) {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        guard !line.isEmpty else { return }
        try? FileHandle.standardError.write(contentsOf: Data("\(level) \(line)\n".utf8))
    }
}
