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

extension VoiceGateClient {
    /// Everything that this user decided. Only VoiceGate's own command may ask.
    ///
    /// - Parameter user: another one, for root and the machine's own service.
    public func settings(ofUser user: UInt32? = nil) async throws -> SettingsReply {
        try await answer(.GET, "/v1/settings" + query(user))
    }

    /// The same at once, and again with each change. A reader that is slow gets the newest state, not each of them.
    public func settingsChanges() async throws -> EventStream<SettingsReply> {
        try await stream(.GET, "/v1/settings/changes")
    }

    /// Only VoiceGate's own command may ask.
    ///
    /// - Parameters:
    ///   - client: its identifier.
    ///   - change: what the person, or root for them, decides.
    ///   - user: another one, for root and the machine's own service; recorded as the administrator's act.
    public func changeSettings(of client: String, _ change: SettingsChange, ofUser user: UInt32? = nil) async throws {
        try await perform(.PUT, "/v1/settings/\(escaped(client))" + query(user), change)
    }

    private func query(_ user: UInt32?) -> String { user.map { "?user=\($0)" } ?? "" }

    /// Makes a program a client of the machine's own service, for this user. Only VoiceGate's own command may ask.
    public func install(_ manifest: ManifestUpload, as client: String) async throws {
        try await perform(.PUT, "/v1/clients/\(escaped(client))", manifest)
    }

    /// Takes such a manifest away. Only VoiceGate's own command may ask.
    public func removeManifest(of client: String) async throws {
        try await perform(.DELETE, "/v1/clients/\(escaped(client))")
    }

    /// Back to `notDetermined`.
    ///
    /// - Parameters:
    ///   - client: `nil` for every client.
    ///   - resource: `nil` for both.
    public func reset(client: String? = nil, resource: Resource? = nil) async throws {
        let path = client.map { "/v1/settings/\(escaped($0))" } ?? "/v1/settings"
        try await perform(.DELETE, path + (resource.map { "?resource=\($0.rawValue)" } ?? ""))
    }
}

/// How prompts are shown and answered. Only VoiceGate's own command may do that.
extension VoiceGateClient {
    /// The questions that this process may answer. Without an agent those about its own requests: it must be listening
    /// (the first event) before it asks. An agent gets those of all other programs of its user.
    public func prompts(as agent: AgentKind? = nil) async throws -> EventStream<PromptEvent> {
        try await stream(.GET, "/v1/prompts" + (agent.map { "?agent=\($0.rawValue)" } ?? ""))
    }

    /// Answers a prompt that was shown to the person.
    ///
    /// - Parameters:
    ///   - cookie: of the prompt, from the event that it was shown with.
    ///   - answer: one of those that the prompt offers.
    ///   - fidelity: of a yes; less than `full` only where the prompt offers it.
    public func answer(prompt cookie: String, _ answer: Answer, fidelity: Fidelity? = nil) async throws {
        try await perform(
            .POST, "/v1/prompts/\(escaped(cookie))/answer", PromptAnswer(answer: answer, fidelity: fidelity))
    }

    /// The person is busy with the prompt, so its time to answer is put off.
    public func attend(prompt cookie: String) async throws {
        try await perform(.POST, "/v1/prompts/\(escaped(cookie))/attention")
    }

    /// The person left the prompt without an answer.
    public func dismiss(prompt cookie: String) async throws {
        try await perform(.POST, "/v1/prompts/\(escaped(cookie))/dismissal")
    }
}

extension VoiceGateClient {
    /// Ends everything that listens, and refuses everything from now on, also after a restart of the service.
    @discardableResult
    public func mute() async throws -> MuteReply { try await answer(.PUT, "/v1/mute") }

    /// Only VoiceGate's own command may ask. What the mute has ended does not begin again by itself.
    @discardableResult
    public func unmute() async throws -> MuteReply { try await answer(.DELETE, "/v1/mute") }
}
