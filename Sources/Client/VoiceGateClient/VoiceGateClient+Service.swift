import SocketAPI

extension VoiceGateClient {
    /// Registers a monitor for this program.
    ///
    /// - Throws: `ClientError` with `refused` where the permission does not reach so far.
    public func registerMonitor(_ request: MonitorRequest) async throws -> MonitorsReply.Monitor {
        try await answer(.POST, "/v1/monitors", request)
    }

    /// The monitors of this program.
    public func monitors() async throws -> MonitorsReply { try await answer(.GET, "/v1/monitors") }

    public func removeMonitor(_ identifier: String) async throws {
        try await perform(.DELETE, "/v1/monitors/\(escaped(identifier))")
    }
}

/// The recogniser's models. Only VoiceGate's own command may ask.
extension VoiceGateClient {
    public func models() async throws -> ModelListReply { try await answer(.GET, "/v1/speech-models") }

    /// Looks at each file of a model.
    ///
    /// - Parameter folder: its whole path or its name; `nil`: the one in use.
    public func verifyModel(_ folder: String?) async throws -> ModelReply {
        try await answer(.POST, "/v1/speech-models/verify", ModelRequest(folder: folder))
    }

    /// Copies a model below the state directory, after it was tried.
    public func addModel(_ folder: String, id: String?) async throws -> ModelReply {
        try await answer(.POST, "/v1/speech-models", ModelRequest(folder: folder, id: id))
    }

    public func removeModel(_ id: String) async throws {
        try await perform(.DELETE, "/v1/speech-models/\(escaped(id))")
    }
}

extension VoiceGateClient {
    /// What the service knows about itself. Only VoiceGate's own command may ask.
    public func diagnosis() async throws -> DiagnosisReply { try await answer(.GET, "/v1/diagnosis") }
}
