/// A refusal, with what the caller needs to explain it. `code` tells how to react; the message is for people.
public struct AuthorizationError: Error, Sendable, Hashable, CustomStringConvertible {
    public let code: RefusalCode
    public let resource: Resource
    public let client: ClientIdentifier
    /// A sentence: what was refused, by whom, and what to do next.
    public let message: String
    /// The command that changes the decision, where one does.
    public let settings: String?

    public init(
        code: RefusalCode, resource: Resource, client: ClientIdentifier, message: String, settings: String? = nil
    ) {
        self.code = code
        self.resource = resource
        self.client = client
        self.message = message
        self.settings = settings
    }

    public var description: String { message }
}
