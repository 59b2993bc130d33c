import Authorization
import SocketAPI
import protocol VoiceGateClient.ServiceConnection

extension ServiceClient {
    /// This program's permissions. Does not ask the user.
    package func authorization() async throws -> AuthorizationReply { try await answer(.GET, "/v1/authorization") }

    /// This program's permissions now, and then each change, in order. `AuthorizationManager.changes` also reconnects.
    ///
    /// - Parameter cursor: of the last event that was read before; the changes since then come first, or a gap.
    package func authorizationChanges(after cursor: String? = nil) async throws -> EventStream<AuthorizationEvent> {
        try await stream(.GET, "/v1/authorization/changes", query: ["after": cursor])
    }

    /// Asks the user if they have not decided, and waits for the answer.
    ///
    /// - Parameters:
    ///   - resource: `nil` for both, speech recognition first.
    ///   - scope: `always` if the program also needs it without the user; they are asked for that later.
    ///   - language: what is to be recognised, such as `en`; the user is not asked if no engine there recognises it.
    /// - Throws: `ClientError` with `refused` for anything but a grant.
    package func requestAuthorization(
        _ resource: Resource? = nil, scope: Scope? = nil, language: String? = nil
    ) async throws -> AuthorizationReply {
        try await answer(
            .POST, "/v1/authorization/requests",
            AuthorizationRequest(resource: resource, scope: scope, language: language))
    }

    /// Asks the user for full fidelity for this process's next session.
    ///
    /// - Parameter purposeKey: a key of the manifest's dictionary of purposes; its text is shown.
    /// - Throws: `ClientError` with `refused` for anything but a grant.
    package func requestTemporaryFullFidelity(purposeKey: String) async throws -> AuthorizationReply {
        try await answer(
            .POST, "/v1/authorization/temporary-full-fidelity", TemporaryFidelityRequest(purposeKey: purposeKey))
    }

    /// Ends everything that listens for the user, and refuses everything from now on, also after a restart of the service.
    ///
    /// - Parameter everyone: all users of the machine's service; for root, and a user at the active seat.
    @discardableResult
    package func mute(everyone: Bool = false) async throws -> MuteReply {
        try await answer(.PUT, "/v1/mute", query: Self.scope(everyone))
    }

    fileprivate static func scope(_ everyone: Bool) -> [String: String?] { ["scope": everyone ? "everyone" : nil] }
}

/// Settings, manifests and the end of a mute. Only VoiceGate's own command may call these.
extension ServiceClient {
    /// Ends the mute. Sessions that it ended do not start again.
    @discardableResult
    package func unmute(everyone: Bool = false) async throws -> MuteReply {
        try await answer(.DELETE, "/v1/mute", query: Self.scope(everyone))
    }

    /// All decisions of this user.
    ///
    /// - Parameter user: another user, for root at the machine's own service.
    package func settings(ofUser user: UInt32? = nil) async throws -> SettingsReply {
        try await answer(.GET, "/v1/settings", query: ["user": user.map { "\($0)" }])
    }

    /// All decisions now, and after each change those of the clients that changed (`SettingsReply.isPartial`).
    package func settingsChanges() async throws -> EventStream<SettingsReply> {
        try await stream(.GET, "/v1/settings/changes")
    }

    /// - Parameters:
    ///   - client: its identifier.
    ///   - change: the decision of the user, or of root for them.
    ///   - user: another user, for root at the machine's own service; recorded as the administrator's act.
    package func changeSettings(of client: String, _ change: SettingsChange, ofUser user: UInt32? = nil) async throws {
        try await perform(.PUT, "/v1/settings/\(escaped(client))", query: ["user": user.map { "\($0)" }], change)
    }

    /// Resets decisions to `notDetermined`.
    ///
    /// - Parameters:
    ///   - client: `nil` for every client.
    ///   - resource: `nil` for both.
    package func reset(client: String? = nil, resource: Resource? = nil) async throws {
        let path = client.map { "/v1/settings/\(escaped($0))" } ?? "/v1/settings"
        try await perform(.DELETE, path, query: ["resource": resource?.rawValue])
    }

    /// Erases what the machine's own service has of a user; only for root.
    ///
    /// - Parameter user: a name or a number.
    package func forget(user: String) async throws { try await perform(.DELETE, "/v1/users/\(escaped(user))") }

    /// Installs a program's manifest at the machine's own service, for this user.
    package func install(_ manifest: ManifestUpload, as client: String) async throws {
        try await perform(.PUT, "/v1/clients/\(escaped(client))", manifest)
    }

    /// Uninstalls a client: withdraws its permissions, ends its sessions and monitors, and removes the user's manifest of it.
    package func removeManifest(of client: String) async throws {
        try await perform(.DELETE, "/v1/clients/\(escaped(client))")
    }
}

/// Showing and answering prompts. Only VoiceGate's own command may call these.
extension ServiceClient {
    /// The prompts that this process may answer: without an agent those of its own requests, which it must follow (first
    /// event) before it asks; with one those of all other programs of its user.
    package func prompts(as agent: AgentKind? = nil) async throws -> EventStream<PromptEvent> {
        try await stream(.GET, "/v1/prompts", query: ["agent": agent?.rawValue])
    }

    /// Answers a prompt that was shown to the user.
    ///
    /// - Parameters:
    ///   - cookie: of the prompt, from the event that offered it.
    ///   - answer: one of those that the prompt offers.
    ///   - fidelity: of a grant; less than `full` only if the prompt offers it.
    package func answer(prompt cookie: String, _ answer: Answer, fidelity: Fidelity? = nil) async throws {
        try await perform(
            .POST, "/v1/prompts/\(escaped(cookie))/answer", PromptAnswer(answer: answer, fidelity: fidelity))
    }

    /// Extends the prompt's timeout, because the user is reading it.
    package func attend(prompt cookie: String) async throws {
        try await perform(.POST, "/v1/prompts/\(escaped(cookie))/attention")
    }

    /// Ends the prompt without an answer.
    package func dismiss(prompt cookie: String) async throws {
        try await perform(.POST, "/v1/prompts/\(escaped(cookie))/dismissal")
    }
}
