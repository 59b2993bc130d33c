/// Why the service cannot start or go on.
public struct ServiceError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The path of the socket cannot be used.
        case socketPath
        /// Another service answers on this socket.
        case alreadyRunning
        /// The configuration cannot be read or does not make sense.
        case configuration
        /// A part of the installation is missing.
        case installation
        /// The indicator's file cannot be written.
        case indicatorFile
    }

    public let code: Code
    /// A sentence: what happened and what to do next.
    public let message: String

    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
