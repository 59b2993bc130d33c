/// Why a tool could not be run.
public struct ToolError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// No such program.
        case missing
        /// The system cannot start it.
        case failed
    }

    public let code: Code
    public let message: String
    /// The underlying `errno`.
    public let number: Int32

    public init(code: Code, message: String, number: Int32) {
        self.code = code
        self.message = message
        self.number = number
    }

    public var description: String { message }
}
