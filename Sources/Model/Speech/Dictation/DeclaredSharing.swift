import Authorization

/// What the client says, where nobody looked at its network.
public struct DeclaredSharing: SharingWatch {
    public let atStart: Sharing

    public init(_ requester: Requester) { atStart = Sharing(requester.client.manifest?.practices) }

    public func atEnd() async -> Sharing { atStart }
}
