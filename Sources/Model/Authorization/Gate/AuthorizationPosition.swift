/// How a requester stood at one place in the order of changes.
public struct AuthorizationPosition: Sendable, Hashable {
    public let cursor: ChangeCursor
    public let standings: [Resource: Standing]
    public let isMuted: Bool
}
