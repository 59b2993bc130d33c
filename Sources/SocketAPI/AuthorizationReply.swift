import Authorization

/// `GET /v1/authorization`, and each line of `GET /v1/authorization/changes`: how the caller stands.
public struct AuthorizationReply: Sendable, Hashable, Codable {
    /// The bundle identifier the caller was found to have.
    public var client: String
    public var name: String
    public var speechRecognition: AuthorizationStatus
    public var microphone: AuthorizationStatus
    /// Whether the person has muted everything; every status is then `restricted`.
    public var muted: Bool
    /// Manifests and policy files that could not be used, each with the reason.
    public var problems: [String]

    public init(
        client: String, name: String, speechRecognition: AuthorizationStatus, microphone: AuthorizationStatus,
        muted: Bool = false, problems: [String]
    ) {
        self.client = client
        self.name = name
        self.speechRecognition = speechRecognition
        self.microphone = microphone
        self.muted = muted
        self.problems = problems
    }
}
