import Authorization

extension AuthorizationReply {
    /// The same after a change.
    public func applying(muted: Bool, _ resources: [Resource: ResourceState]) -> AuthorizationReply {
        var reply = self
        reply.muted = muted
        if let state = resources[.speechRecognition] { reply.speechRecognition = state.status }
        if let state = resources[.microphone] { reply.microphone = state.status }
        return reply
    }
}
