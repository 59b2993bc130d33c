/// Why the log could not do what was asked. `code` tells how to react; the message is for people.
public struct ConsentError: Error, Sendable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        /// What is stored does not fit together. Nothing may be granted on it.
        case corrupt
        /// This record was not written; the log is as it was, and the next one may succeed.
        case notRecorded
        /// A write failed and nobody knows what the disk holds; the log must be opened anew.
        case failed
        /// The record's fields are too large to be kept.
        case tooLarge
    }

    public let code: Code
    /// A sentence: what happened and what to do next.
    public let message: String
    /// What the storage said.
    public let underlying: (any Error)?

    public init(code: Code, message: String, underlying: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlying = underlying
    }

    public var description: String { message }
}
