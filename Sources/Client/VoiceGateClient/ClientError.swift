import SocketAPI

/// Why the service did not do what was asked.
public struct ClientError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Nothing listens at the socket.
        case notRunning
        /// The socket is there, and connecting failed.
        case cannotConnect
        /// No socket can have this path.
        case unusablePath
        /// The socket, its directory or the process behind it is neither the user's own nor the system's.
        case untrustedServer
        /// The service refused; `reply` has the reason.
        case refused
        /// The service closed the connection during an answer.
        case disconnected
        /// The service closed the connection before it had read the whole request.
        case notRead
        /// The answer is not one of the socket API.
        case protocolViolation
    }

    public let code: Code
    /// What happened and what to do next, for people.
    public let message: String
    /// What the service answered; only with `refused`.
    public internal(set) var reply: ErrorReply?
    /// The system's error number, 0 when there is none.
    public internal(set) var errorNumber: Int32 = 0

    public var description: String { message }
}

extension ClientError {
    public init(code: Code, message: String) {
        self.init(code: code, message: message, reply: nil)
    }

    public init(_ reply: ErrorReply) {
        self.init(code: .refused, message: reply.error.message, reply: reply)
    }

    static func violation(_ what: String) -> ClientError {
        ClientError(
            code: .protocolViolation,
            message: "The service's answer cannot be understood: \(what). "
                + "The command and the service may be of different versions; restart the service.")
    }

    public static let disconnected = ClientError(
        code: .disconnected,
        message: "The service closed the connection before it had answered. See its log, then try again.")

    static let notRead = ClientError(
        code: .notRead,
        message:
            "The service closed the connection before it had read the whole request; what was sent is not at fault. "
            + "See its log, then send it again.")
}
