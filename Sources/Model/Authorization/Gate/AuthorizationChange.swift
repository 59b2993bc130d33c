/// A status that may not be what it was (`locationManagerDidChangeAuthorization`, for speech).
public struct AuthorizationChange: Sendable, Hashable {
    /// What it is about; `nil`: a policy or the person's mute, which may concern everybody.
    public let key: DecisionKey?

    public init(key: DecisionKey?) {
        self.key = key
    }
}
