import Authorization

/// `GET /v1/authorization`, and each line of `GET /v1/authorization/changes`: how the caller stands.
public struct AuthorizationReply: Sendable, Hashable, Codable {
    /// What a yes allows.
    public struct Grant: Sendable, Hashable, Codable {
        public var scope: Scope
        /// `always` that the person has not confirmed yet: what needs it does not happen until then.
        public var isProvisional: Bool
        /// Of speech recognition alone.
        public var fidelity: Fidelity?

        public init(scope: Scope, isProvisional: Bool = false, fidelity: Fidelity? = nil) {
            self.scope = scope
            self.isProvisional = isProvisional
            self.fidelity = fidelity
        }
    }

    /// The bundle identifier the caller was found to have.
    public var client: String
    public var name: String
    public var speechRecognition: AuthorizationStatus
    public var microphone: AuthorizationStatus
    /// Whether the person has muted everything; every status is then `restricted`.
    public var muted: Bool
    /// Of a status that is `authorized`, else `nil`.
    public var speechRecognitionGrant: Grant?
    public var microphoneGrant: Grant?
    /// Manifests and policy files that could not be used, each with the reason.
    public var problems: [String]

    public init(
        client: String, name: String, speechRecognition: AuthorizationStatus, microphone: AuthorizationStatus,
        muted: Bool = false, speechRecognitionGrant: Grant? = nil, microphoneGrant: Grant? = nil, problems: [String]
    ) {
        self.client = client
        self.name = name
        self.speechRecognition = speechRecognition
        self.microphone = microphone
        self.muted = muted
        self.speechRecognitionGrant = speechRecognitionGrant
        self.microphoneGrant = microphoneGrant
        self.problems = problems
    }
}
