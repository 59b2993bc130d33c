/// Why a socket's path or its directory cannot be used.
public struct SocketPathError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// Longer than a Unix socket's path can be.
        case tooLong
        /// Empty, or with a zero byte in it.
        case unusable
        /// The directory belongs to somebody else or others may write into it.
        case notPrivate
        /// The directory cannot be made.
        case cannotCreate
    }

    public let code: Code
    public let path: String
    /// The system's error number, 0 when there is none.
    public let errorNumber: Int32
    /// A sentence: what happened and what to do next.
    public let message: String

    public init(code: Code, path: String, errorNumber: Int32 = 0, message: String) {
        self.code = code
        self.path = path
        self.errorNumber = errorNumber
        self.message = message
    }

    public var description: String { message }
}
