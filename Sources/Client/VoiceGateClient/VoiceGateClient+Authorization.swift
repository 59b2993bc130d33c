import Authorization
import SocketAPI

extension VoiceGateClient {
    /// How this program stands, without asking anybody.
    public func authorization() async throws -> AuthorizationReply { try await answer(.GET, "/v1/authorization") }

    /// How this program stands now, and then each change, in order. `AuthorizationManager.changes` also connects again.
    ///
    /// - Parameter cursor: of the last event that was read before; the changes since come first, or a gap is told.
    public func authorizationChanges(after cursor: String? = nil) async throws -> EventStream<AuthorizationEvent> {
        let query = cursor.map { "?after=" + escaped($0) } ?? ""
        return try await stream(.GET, "/v1/authorization/changes" + query)
    }

    /// Asks the person where they have not decided, and waits for the answer.
    ///
    /// - Parameters:
    ///   - resource: `nil` for both, speech recognition first.
    ///   - scope: `always` where the program also needs it without the person; they are asked for that later.
    /// - Throws: `ClientError` with `refused` for anything but a yes.
    public func requestAuthorization(
        _ resource: Resource? = nil, scope: Scope? = nil
    ) async throws -> AuthorizationReply {
        try await answer(.POST, "/v1/authorization/requests", AuthorizationRequest(resource: resource, scope: scope))
    }

    /// Asks the person for full fidelity for this process's next session.
    ///
    /// - Parameter purposeKey: a key of the manifest's dictionary of purposes; its text is shown.
    /// - Throws: `ClientError` with `refused` for anything but a yes.
    public func requestTemporaryFullFidelity(purposeKey: String) async throws -> AuthorizationReply {
        try await answer(
            .POST, "/v1/authorization/temporary-full-fidelity", TemporaryFidelityRequest(purposeKey: purposeKey))
    }
}
