/// Who asks the gate: the process, the application it was found to be, and where it stood when it asked.
public struct Requester: Sendable, Hashable {
    public let caller: Caller
    public let client: Client
    public let presence: Presence

    public init(caller: Caller, client: Client, presence: Presence) {
        self.caller = caller
        self.client = client
        self.presence = presence
    }
}

extension Requester {
    public func key(for resource: Resource) -> DecisionKey {
        DecisionKey(user: caller.user, client: client.identifier, resource: resource)
    }

    /// A program that no manifest speaks for can be allowed once, never for longer.
    public var isOnceAtMost: Bool { client.isOnceAtMost }
}
