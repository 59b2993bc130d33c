import Authorization

extension AuthorizationReply {
    public init(
        client: String, name: String, speechRecognition: ResourceState, microphone: ResourceState, muted: Bool = false,
        problems: [String] = []
    ) {
        self.init(
            client: client, name: name, speechRecognition: speechRecognition.status, microphone: microphone.status,
            muted: muted, speechRecognitionGrant: speechRecognition.grant, microphoneGrant: microphone.grant,
            problems: problems)
    }

    public init(_ requester: Requester, _ permissions: AuthorizationUpdate, problems: [String]) {
        let states = ResourceState.states(permissions.standings(for: requester))
        self.init(
            client: requester.client.identifier.rawValue, name: requester.client.displayName(in: requester.language),
            speechRecognition: states[.speechRecognition] ?? ResourceState(status: .denied),
            microphone: states[.microphone] ?? ResourceState(status: .denied), muted: permissions.mute != nil,
            problems: problems)
        mutedBy = MutedBy(permissions.mute, for: requester.caller.user)
    }

    public var mute: MuteReply { MuteReply(muted: muted, mutedBy: mutedBy) }

    /// The same after a change.
    public func applying(muted: Bool, _ resources: [Resource: ResourceState]) -> AuthorizationReply {
        var reply = self
        reply.muted = muted
        // A change does not say who muted.
        reply.mutedBy = nil
        if let state = resources[.speechRecognition] {
            (reply.speechRecognition, reply.speechRecognitionGrant) = (state.status, state.grant)
        }
        if let state = resources[.microphone] {
            (reply.microphone, reply.microphoneGrant) = (state.status, state.grant)
        }
        return reply
    }
}

extension ResourceState {
    init(_ standing: Standing, _ resource: Resource) {
        self.init(status: standing.status, grant: standing.grant(of: resource))
    }

    public static func states(_ standings: [Resource: Standing]) -> [Resource: ResourceState] {
        Dictionary(uniqueKeysWithValues: standings.map { ($0.key, ResourceState($0.value, $0.key)) })
    }
}

extension Standing {
    /// What a grant allows. A provisional always is `always` to the client, as Core Location's; settings and records
    /// distinguish it.
    public func grant(of resource: Resource) -> AuthorizationReply.Grant? {
        terms.map {
            AuthorizationReply.Grant(
                scope: $0.isProvisionalAlways ? .always : $0.scope,
                fidelity: resource == .speechRecognition ? $0.fidelity : nil)
        }
    }
}
