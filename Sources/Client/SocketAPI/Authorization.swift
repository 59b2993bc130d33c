import Authorization

/// `GET /v1/authorization`, and in `GET /v1/authorization/changes`: the caller's permissions.
public struct AuthorizationReply: Sendable, Hashable, Codable {
    /// What a grant allows.
    public struct Grant: Sendable, Hashable, Codable {
        /// `always` also while the user has not confirmed it yet.
        public var scope: Scope
        /// Of speech recognition only: the fidelity that this process has now (`accuracyAuthorization`). `full` also from a
        /// grant of temporary full fidelity to the end of the session that uses it.
        public var fidelity: Fidelity?

        public init(scope: Scope, fidelity: Fidelity? = nil) { (self.scope, self.fidelity) = (scope, fidelity) }
    }

    /// The caller's bundle identifier, as the service found it.
    public var client: String
    public var name: String
    public var speechRecognition: AuthorizationStatus
    public var microphone: AuthorizationStatus
    /// Whether everything is muted; every status is `restricted` then.
    public var muted: Bool = false
    /// Absent if nothing is muted.
    public var mutedBy: MutedBy?
    /// `nil` unless the status is `authorized`.
    public var speechRecognitionGrant: Grant?
    public var microphoneGrant: Grant?
    /// Manifests and policy files that could not be used, each with the reason.
    public var problems: [String]
}

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

    public init(_ requester: Requester, _ position: AuthorizationPosition, problems: [String]) {
        self.init(
            client: requester.client.identifier.rawValue, name: requester.client.displayName(in: requester.language),
            speechRecognition: position.standings[.speechRecognition]?.status ?? .denied,
            microphone: position.standings[.microphone]?.status ?? .denied, muted: position.mute != nil,
            mutedBy: MutedBy(position.mute, for: requester.caller.user),
            speechRecognitionGrant: position.standings[.speechRecognition]?.grant(of: .speechRecognition),
            microphoneGrant: position.standings[.microphone]?.grant(of: .microphone), problems: problems)
    }

    public var mute: MuteReply { MuteReply(muted: muted, mutedBy: mutedBy) }

    public func status(of resource: Resource) -> AuthorizationStatus {
        switch resource {
        case .speechRecognition: speechRecognition
        case .microphone: microphone
        }
    }

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

/// `POST /v1/authorization/requests`: asks now and waits for the user's answer. Answered with 200 and an `AuthorizationReply`
/// if everything requested is authorized, else with 403.
public struct AuthorizationRequest: Sendable, Hashable, Codable {
    /// One resource, or `nil` for both in the order of dictation: speech recognition, then the microphone.
    public var resource: Resource?

    /// `always`: asks for use while in use first, and for always once, later, at a quiet moment. Absent: `whileInUse`. Only the
    /// user chooses `once`.
    public var scope: Scope?

    /// What is to be recognised, such as `en`, in sound files if `resource` is speech recognition, else in dictations. If no engine
    /// here recognises it, the request is refused before the user is asked.
    public var language: String?

    public init(resource: Resource? = nil, scope: Scope? = nil, language: String? = nil) {
        self.resource = resource
        self.scope = scope
        self.language = language
    }
}

/// `POST /v1/authorization/temporary-full-fidelity`: asks the user for full fidelity for this process's next session.
/// Answered with 200 and an `AuthorizationReply`, else with 403 (`notInUse`, `noAnswer` …), 409 (`alreadyFull`) or 422
/// (`missingPurpose`).
public struct TemporaryFidelityRequest: Sendable, Hashable, Codable {
    /// A key of the manifest's `VoiceGateTemporaryFullFidelityUsageDescriptionDictionary`.
    public var purposeKey: String

    public init(purposeKey: String) {
        self.purposeKey = purposeKey
    }
}

/// Each line of `GET /v1/authorization/changes`, with `after=CURSOR` for what came after an earlier line.
///
/// ```
/// {"authorization":{…},"cursor":"LIFE:4","resources":{"microphone":{"status":"notDetermined"},…},"type":"state"}
/// {"changed":{"microphone":{"grant":{"scope":"whileInUse"},"status":"authorized"}},"cursor":"LIFE:5","muted":false,"type":"changed"}
/// {"cursor":"LIFE:5","type":"resumed"}
/// {"type":"gap"}
/// ```
///
/// Every change is sent, in order, also one that was undone since. If changes are lost, `gap` comes and then `state`.
public enum AuthorizationEvent: Sendable, Hashable, Codable {
    /// The present state: the first line, and the one after a gap.
    case state(cursor: String, AuthorizationReply, resources: [Resource: ResourceState])
    /// The first line instead, if the changes continue without a gap after the cursor of the request.
    case resumed(cursor: String)
    /// The state right after one change, of the resource that changed; of both for a policy and a mute.
    case changed(cursor: String, muted: Bool, resources: [Resource: ResourceState])
    /// Changes before this are lost: the service restarted, or the reader was too far behind.
    case gap

    private enum Kind: String, Codable {
        case state, resumed, changed, gap
    }

    private enum CodingKeys: String, CodingKey {
        case type, cursor, authorization, resources, changed, muted
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self =
            switch try fields.known(.type) as Kind {
            case .state:
                .state(
                    cursor: try fields[.cursor], try fields[.authorization],
                    resources: .init(named: try fields[.resources]))
            case .resumed:
                .resumed(cursor: try fields[.cursor])
            case .changed:
                .changed(
                    cursor: try fields[.cursor], muted: try fields[.muted],
                    resources: .init(named: try fields[.changed]))
            case .gap:
                .gap
            }
    }

    public func encode(to encoder: any Encoder) throws {
        let fields: KeyValuePairs<CodingKeys, (any Encodable)?> =
            switch self {
            case .state(let cursor, let reply, let resources):
                [.type: Kind.state, .cursor: cursor, .authorization: reply, .resources: resources.named]
            case .resumed(let cursor):
                [.type: Kind.resumed, .cursor: cursor]
            case .changed(let cursor, let muted, let resources):
                [.type: Kind.changed, .cursor: cursor, .muted: muted, .changed: resources.named]
            case .gap:
                [.type: Kind.gap]
            }
        try encoder.encode(fields)
    }
}

/// The caller's permission for one resource.
public struct ResourceState: Sendable, Hashable, Codable {
    public var status: AuthorizationStatus
    /// `nil` unless the status is `authorized`.
    public var grant: AuthorizationReply.Grant?

    public init(status: AuthorizationStatus, grant: AuthorizationReply.Grant? = nil) {
        (self.status, self.grant) = (status, grant)
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
