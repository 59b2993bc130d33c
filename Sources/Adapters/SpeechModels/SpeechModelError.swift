/// Why a model is not used, added or removed. `code` tells how to react; the message is for people.
public struct SpeechModelError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// There is no such model.
        case absent
        /// A file of it is not what it must be.
        case damaged
        /// No catalogue knows it, and nobody added it.
        case unknown
        /// The folder, or the name for it, cannot be taken.
        case unusable
        /// There is one of that name already.
        case exists
        /// It is in use.
        case inUse
        /// It cannot be read or written.
        case inputOutput
    }

    public let code: Code
    public let message: String

    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
