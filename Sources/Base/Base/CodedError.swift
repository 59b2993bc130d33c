/// A module's error. Callers react to `code`; the message is for people: what happened and what to do next.
public struct CodedError<Code: Hashable & Sendable>: Error, Hashable, CustomStringConvertible {
    public typealias Code = Code
    public let code: Code
    public let message: String

    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
