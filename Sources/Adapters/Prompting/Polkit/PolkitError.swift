/// Why polkit did not authorize.
public struct PolkitError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// The rules of this machine, or a wrong password, say no.
        case notAuthorized
        /// The person closed the question for a password, or did not answer it in time.
        case dismissed
        /// No program that could ask for a password runs in the person's session.
        case noAuthenticationAgent
        /// pkcheck or polkit itself is missing or failed; nothing is authorized without it.
        case unavailable
    }

    public let code: Code
    /// A sentence that says what happened and what to do.
    public let message: String

    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
