/// Who asks the gate: the process, and the application it was found to be.
public struct Requester: Sendable, Hashable {
    public let caller: Caller
    public let client: Client

    public init(caller: Caller, client: Client) {
        self.caller = caller
        self.client = client
    }
}

extension Requester {
    public func key(for resource: Resource) -> DecisionKey {
        DecisionKey(user: caller.user, client: client.identifier, resource: resource)
    }
}
