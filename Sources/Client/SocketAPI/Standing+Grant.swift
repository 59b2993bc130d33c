import Authorization

extension Standing {
    /// What a yes allows; a provisional always is told as always, with its flag.
    public func grant(of resource: Resource) -> AuthorizationReply.Grant? {
        if self == .inUseOnce { return AuthorizationReply.Grant(scope: .once) }
        return terms.map {
            AuthorizationReply.Grant(
                scope: $0.isProvisionalAlways ? .always : $0.scope, isProvisional: $0.isProvisionalAlways,
                fidelity: resource == .speechRecognition ? $0.fidelity : nil)
        }
    }
}
