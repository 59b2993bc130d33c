import AsyncHTTPClient
import Foundation
import NIOCore

/// Why the sender cannot go on. Messages are for people; `code` says how to react.
struct SenderError: Error, CustomStringConvertible {
    enum Code: Sendable {
        case usage
        /// There is no credential, or it is another collector's.
        case notEnrolled
        /// The service or the collector does not answer, or not now.
        case unavailable
        /// The collector does not accept this host's token, log or key: an administrator must act.
        case refused
        /// The collector has records that this log has not, or another log's: the log was restored or rewritten.
        case inconsistent
        /// The service or the collector answers what no version of it does.
        case protocolViolated

        /// sysexits(3)
        var exitCode: Int32 {
            switch self {
            case .usage: 64
            case .unavailable: 69
            case .inconsistent: 65
            case .protocolViolated: 76
            case .refused: 77
            case .notEnrolled: 78
            }
        }
    }

    let code: Code
    let message: String
    /// What the collector asks to wait before the next request.
    var retryAfter: Duration?

    var description: String { message }

    init(_ code: Code, _ message: String, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    /// - Parameter error: of this program, the HTTP client, or the file system.
    init(_ error: any Error) {
        switch error {
        case let error as SenderError: self = error
        case let error as HTTPClientError: self.init(.unavailable, "The connection failed: \(error.shortDescription)")
        case is DecodingError: self.init(.protocolViolated, "The answer cannot be read.")
        case let error as CocoaError: self.init(.usage, error.localizedDescription)
        default: self.init(.unavailable, "The connection failed: \(error)")
        }
    }
}
