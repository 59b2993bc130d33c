/// What a decision is about: one resource, for one client, of one user.
public struct DecisionKey: Sendable, Hashable, Codable {
    public let user: UInt32
    public let client: ClientIdentifier
    public let resource: Resource

    public init(user: UInt32, client: ClientIdentifier, resource: Resource) {
        self.user = user
        self.client = client
        self.resource = resource
    }
}

extension DecisionKey: Comparable {
    public static func < (left: DecisionKey, right: DecisionKey) -> Bool {
        (left.user, left.client.rawValue, left.resource.rawValue)
            < (right.user, right.client.rawValue, right.resource.rawValue)
    }
}
