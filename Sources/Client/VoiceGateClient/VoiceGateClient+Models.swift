import SocketAPI

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
