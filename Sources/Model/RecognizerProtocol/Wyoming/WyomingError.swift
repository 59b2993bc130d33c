/// Why bytes are not Wyoming, or an event cannot be sent.
public struct WyomingError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        case headerTooLong
        case headerMalformed
        case dataTooLong
        case dataMalformed
        case payloadTooLong
        /// An earlier error left the decoder without knowing where the next event begins.
        case outOfStep
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
