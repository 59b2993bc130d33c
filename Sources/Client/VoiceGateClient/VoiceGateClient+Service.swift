import Authorization
import SocketAPI

extension VoiceGateClient {
    /// Registers a monitor for this program.
    ///
    /// - Throws: `ClientError` with `refused` if the permission does not include it.
    public func registerMonitor(_ request: MonitorRequest) async throws -> MonitorsReply.Monitor {
        try await answer(.POST, "/v1/monitors", request)
    }

    /// The monitors of this program.
    public func monitors() async throws -> MonitorsReply { try await answer(.GET, "/v1/monitors") }

    /// What happens to the monitors of this program, as long as the stream is read: while it is open, a monitor does not start
    /// the program, and the service sends events here. Acknowledge each `triggered`.
    public func monitorEvents() async throws -> EventStream<MonitorEvent> {
        try await stream(.GET, "/v1/monitors/events")
    }

    /// Reports that the program has got the event. One that is not acknowledged counts as a failure, and is sent again.
    public func acknowledge(_ event: MonitorEvent) async throws {
        try await perform(.POST, "/v1/monitors/events/\(escaped(event.event))/acknowledgement")
    }

    public func removeMonitor(_ identifier: String) async throws {
        try await perform(.DELETE, "/v1/monitors/\(escaped(identifier))")
    }
}

/// Models, engines, and a diagnosis. Only VoiceGate's own command may call these.
extension VoiceGateClient {
    public func models() async throws -> ModelListReply { try await answer(.GET, "/v1/speech-models") }

    /// Verifies each file of a model.
    ///
    /// - Parameter folder: its absolute path or its name; `nil`: the model in use.
    public func verifyModel(_ folder: String?) async throws -> ModelReply {
        try await answer(.POST, "/v1/speech-models/verify", ModelRequest(folder: folder))
    }

    /// Tries a model and copies it into the state directory.
    public func addModel(_ folder: String, id: String?) async throws -> ModelReply {
        try await answer(.POST, "/v1/speech-models", ModelRequest(folder: folder, id: id))
    }

    public func removeModel(_ id: String) async throws {
        try await perform(.DELETE, "/v1/speech-models/\(escaped(id))")
    }

    /// The engines that are built in, installed and available.
    public func engines() async throws -> EngineListReply { try await answer(.GET, "/v1/engines") }

    /// Copies an engine's files into the state directory, verifies them and tries the engine.
    ///
    /// - Parameter folder: with its engine.json; absolute.
    public func addEngine(_ folder: String) async throws -> EngineReply {
        try await answer(.POST, "/v1/engines", EngineRequest(folder: folder))
    }

    /// Chooses the engine for a task; `nil`: for all that it can do.
    public func useEngine(_ id: String, for task: EngineTask?) async throws -> EngineReply {
        try await answer(.PUT, "/v1/engines/use", EngineUse(id: id, task: task))
    }

    public func removeEngine(_ id: String) async throws {
        try await perform(.DELETE, "/v1/engines/\(escaped(id))")
    }

    /// What the service reports about itself.
    public func diagnosis() async throws -> DiagnosisReply { try await answer(.GET, "/v1/diagnosis") }
}
