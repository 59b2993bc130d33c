import Authorization

/// How the caller stands with one resource.
public struct ResourceState: Sendable, Hashable, Codable {
    public var status: AuthorizationStatus
    /// Of a yes.
    public var scope: Scope?
    /// Of a yes.
    public var fidelity: Fidelity?
    /// With `always`: the person has not confirmed it yet.
    public var isProvisional: Bool?

    public init(status: AuthorizationStatus, scope: Scope? = nil, fidelity: Fidelity? = nil, isProvisional: Bool? = nil)
    {
        self.status = status
        self.scope = scope
        self.fidelity = fidelity
        self.isProvisional = isProvisional
    }

    public init(_ standing: Standing) {
        let terms = standing.terms
        let isProvisional = terms?.isProvisionalAlways == true
        self.init(
            status: standing.status,
            scope: standing == .inUseOnce ? .once : isProvisional ? .always : terms?.scope, fidelity: terms?.fidelity,
            isProvisional: isProvisional ? true : nil)
    }
}
