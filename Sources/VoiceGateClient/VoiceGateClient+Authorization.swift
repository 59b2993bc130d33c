import Authorization
import SocketAPI

extension VoiceGateClient {
    /// How this program stands, without asking anybody.
    public func authorization() async throws -> AuthorizationReply { try await answer(.GET, "/v1/authorization") }

    /// How this program stands now, and again with each change.
    public func authorizationChanges() async throws -> EventStream<AuthorizationReply> {
        try await stream(.GET, "/v1/authorization/changes")
    }

    /// Asks the person where they have not decided, and waits for the answer.
    ///
    /// - Parameters:
    ///   - resource: `nil` for both, speech recognition first.
    ///   - scope: `always` asks for always too: a yes while using is then provisionally one for always, and the person is
    ///     asked once more at a quiet moment.
    /// - Throws: `ClientError` with `refused` for anything but a yes.
    public func requestAuthorization(
        _ resource: Resource? = nil, scope: Scope? = nil
    ) async throws -> AuthorizationReply {
        try await answer(.POST, "/v1/authorization/requests", AuthorizationRequest(resource: resource, scope: scope))
    }
}
