import Authorization

/// `POST /v1/authorization/requests`: asks now and waits for the person's answer.
///
/// Answered with 200 and an `AuthorizationReply` when everything that was asked for is authorized, else with 403.
public struct AuthorizationRequest: Sendable, Hashable, Codable {
    /// One resource, or `nil` for both in the order of dictation: speech recognition, then the microphone.
    public var resource: Resource?

    /// `always` asks for more than a yes while in use: the person is asked for that first, and for always once, later, at a
    /// quiet moment. Absent or `whileInUse`: not more. `once` is for the person to choose.
    public var scope: Scope?

    public init(resource: Resource? = nil, scope: Scope? = nil) {
        self.resource = resource
        self.scope = scope
    }
}
