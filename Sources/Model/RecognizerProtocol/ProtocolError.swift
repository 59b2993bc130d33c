/// Why an event is not one of ours.
public struct ProtocolError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The type is none of this direction's.
        case unknownType
        /// A field is missing, of another type, or out of its bounds.
        case badField
        /// Right in itself, but not at this point of the conversation.
        case unexpected
    }

    public let code: Code
    /// A sentence: what happened.
    public let message: String

    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
