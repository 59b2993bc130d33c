import Authorization

extension AuthorizationReply {
    /// The same after a change.
    public func applying(muted: Bool, _ resources: [Resource: ResourceState]) -> AuthorizationReply {
        var reply = self
        reply.muted = muted
        if let state = resources[.speechRecognition] {
            (reply.speechRecognition, reply.speechRecognitionGrant) = (state.status, state.grant)
        }
        if let state = resources[.microphone] {
            (reply.microphone, reply.microphoneGrant) = (state.status, state.grant)
        }
        return reply
    }
}
