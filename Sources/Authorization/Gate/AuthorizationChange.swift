/// A status that is not what it was (`locationManagerDidChangeAuthorization`, for speech).
public struct AuthorizationChange: Sendable, Hashable {
    public let user: UInt32
    /// `nil`: a policy came into force, which may concern every client.
    public let client: ClientIdentifier?
    /// `nil`: both.
    public let resource: Resource?

    public init(user: UInt32, client: ClientIdentifier?, resource: Resource?) {
        self.user = user
        self.client = client
        self.resource = resource
    }
}
