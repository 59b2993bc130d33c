/// A status that is not what it was (`locationManagerDidChangeAuthorization`, for speech).
public struct AuthorizationChange: Sendable, Hashable {
    /// What it is about; `nil`: a policy came into force, which may concern everybody.
    public let key: DecisionKey?

    public init(key: DecisionKey?) {
        self.key = key
    }
}
