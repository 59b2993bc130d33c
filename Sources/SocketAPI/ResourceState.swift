import Authorization

/// How the caller stands with one resource.
public struct ResourceState: Sendable, Hashable, Codable {
    public var status: AuthorizationStatus
    /// Of a yes.
    public var scope: Scope?
    /// Of a yes.
    public var fidelity: Fidelity?

    public init(status: AuthorizationStatus, scope: Scope? = nil, fidelity: Fidelity? = nil) {
        self.status = status
        self.scope = scope
        self.fidelity = fidelity
    }

    public init(_ standing: Standing) {
        let terms = standing.terms
        self.init(
            status: standing.status, scope: standing == .inUseOnce ? .once : terms?.scope, fidelity: terms?.fidelity)
    }
}
