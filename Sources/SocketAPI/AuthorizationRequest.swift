import Authorization

/// `POST /v1/authorization/requests`: asks now and waits for the person's answer.
///
/// Answered with 200 and an `AuthorizationReply` when everything that was asked for is authorized, else with 403.
public struct AuthorizationRequest: Sendable, Hashable, Codable {
    /// One resource, or `nil` for both in the order of dictation: speech recognition, then the microphone.
    public var resource: Resource?

    /// `always`: a yes while using is then provisionally one for always, and the person is asked once more at a quiet
    /// moment. Absent or `whileInUse`: as ever.
    public var scope: Scope?

    public init(resource: Resource? = nil, scope: Scope? = nil) {
        self.resource = resource
        self.scope = scope
    }
}
