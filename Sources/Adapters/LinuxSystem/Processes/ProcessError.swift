/// Why a caller is refused before anything is asked of it.
public struct ProcessError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// It belongs to another user than the service serves.
        case otherUser
        /// It ended, or its process identifier belongs to another process by now.
        case vanished
        /// It runs another program than when it connected.
        case executableChanged
        /// The kernel does not let us see its program.
        case unreadable
        /// There is no program of that name.
        case noProgram
        /// Its network cannot be taken away.
        case notConfined
        /// Nobody, or more than one process, has the other end of a TCP connection, as far as can be seen.
        case ambiguous
        /// The descriptor is not a connected Unix socket, or `/proc` is not as documented.
        case failed
    }

    public let code: Code
    /// A sentence that says what happened and what to do.
    public let message: String
    /// The underlying `errno`, 0 when there is none.
    public let number: Int32

    public init(code: Code, message: String, number: Int32 = 0) {
        self.code = code
        self.message = message
        self.number = number
    }

    public var description: String { message }

    static func vanished(_ process: Int32) -> ProcessError {
        ProcessError(code: .vanished, message: "The calling process \(process) has ended. Connect again.")
    }
}
