import Authorization

extension AuthorizationReply {
    public init(_ requester: Requester, _ permissions: AuthorizationUpdate, problems: [String]) {
        let unknown = AuthorizationReply(
            client: requester.client.identifier.rawValue, name: requester.client.displayName(in: requester.language),
            speechRecognition: .denied, microphone: .denied, problems: problems)
        let states = ResourceState.states(permissions.standings(for: requester))
        self = unknown.applying(muted: permissions.mute != nil, states)
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
    /// A provisional always is `always` to the client, as Core Location's; settings and records distinguish it.
    init(_ standing: Standing, _ resource: Resource) {
        let grant = standing.terms.map {
            AuthorizationReply.Grant(
                scope: $0.isProvisionalAlways ? .always : $0.scope,
                fidelity: resource == .speechRecognition ? $0.fidelity : nil)
        }
        self.init(status: standing.status, grant: grant)
    }

    public static func states(_ standings: [Resource: Standing]) -> [Resource: ResourceState] {
        Dictionary(uniqueKeysWithValues: standings.map { ($0.key, ResourceState($0.value, $0.key)) })
    }
}

extension PromptOffer {
    public init(_ prompt: Prompt) {
        self.init(
            cookie: prompt.cookie, client: prompt.requester.client.identifier.rawValue, resource: prompt.resource,
            language: prompt.notice.language.rawValue, title: prompt.notice.title,
            usageDescription: prompt.notice.usageDescription,
            items: prompt.items.map { Item(name: $0.name, text: $0.text) }, answers: prompt.answers,
            offersFidelity: prompt.offersFidelity)
    }
}
