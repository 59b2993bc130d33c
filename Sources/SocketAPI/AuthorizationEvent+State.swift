import Authorization

extension AuthorizationReply {
    /// The same after a change.
    public func applying(muted: Bool, _ resources: [Resource: ResourceState]) -> AuthorizationReply {
        var reply = self
        reply.muted = muted
        if let state = resources[.speechRecognition] {
            reply.speechRecognition = state.status
            reply.speechRecognitionGrant = state.scope.map {
                Grant(scope: $0, isProvisional: state.isProvisional ?? false, fidelity: state.fidelity)
            }
        }
        if let state = resources[.microphone] {
            reply.microphone = state.status
            reply.microphoneGrant = state.scope.map {
                Grant(scope: $0, isProvisional: state.isProvisional ?? false, fidelity: nil)
            }
        }
        return reply
    }
}

extension AuthorizationEvent {
    /// How things stand after this line, for a reader that keeps the state.
    public func state(after last: AuthorizationReply?) -> AuthorizationReply? {
        switch self {
        case .state(_, let reply, _): reply
        case .changed(_, let muted, let resources): last?.applying(muted: muted, resources)
        case .gap, .resumed: last
        }
    }
}
