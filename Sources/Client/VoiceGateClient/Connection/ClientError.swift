import Foundation

/// Why the service did not do what was requested.
///
/// Its description is `message`: what happened and what to do next. A program that prints it and ends has told its user enough.
public struct ClientError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong. Later versions may add some.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Nothing listens at the socket.
        case notRunning
        /// The socket is there, and connecting failed.
        case cannotConnect
        /// No socket can have this path.
        case unusablePath
        /// The socket, its directory or the process behind it is neither the user's own nor the system's.
        case untrustedServer
        /// The service refused; `refusal` has the reason.
        case refused
        /// The service closed the connection during an answer.
        case disconnected
        /// The service closed the connection before it had read the whole request.
        case notRead
        /// The answer is not one of the socket API.
        case protocolViolation
        /// The sound file cannot be opened or read.
        case unreadableFile
    }

    /// What went wrong.
    public let code: Code
    /// What happened and what to do next, for people.
    public let message: String
    /// The reason; exactly with `refused`.
    public let refusal: Refusal?
    /// The system's error number, 0 when there is none.
    public let errorNumber: Int32

    /// An error without a refusal, as a test throws it.
    ///
    /// - Parameters:
    ///   - code: any but `refused`.
    ///   - message: for people.
    ///   - errorNumber: the system's, 0 when there is none.
    public init(code: Code, message: String, errorNumber: Int32 = 0) {
        (self.code, self.message, self.errorNumber, refusal) = (code, message, errorNumber, nil)
    }

    /// A refusal by the service.
    ///
    /// - Parameter refusal: its message is that of the error.
    public init(_ refusal: Refusal) {
        (code, message, errorNumber) = (.refused, refusal.message, 0)
        self.refusal = refusal
    }

    public var description: String { message }
}

extension ClientError: LocalizedError {
    public var errorDescription: String? { message }
}

extension ClientError {
    static func violation(_ what: String) -> ClientError {
        ClientError(
            code: .protocolViolation,
            message: "The service's answer cannot be understood: \(what). "
                + "The program and the service may be of different versions; restart the service.")
    }

    package static let disconnected = ClientError(
        code: .disconnected,
        message: "The service closed the connection before it had answered. See its log, then try again.")

    static let notRead = ClientError(
        code: .notRead,
        message:
            "The service closed the connection before it had read the whole request; what was sent is not at fault. "
            + "See its log, then send it again.")
}
