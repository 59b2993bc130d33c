import Authorization
import SocketAPI
import protocol VoiceGateClient.ServiceConnection

extension ServiceClient {
    /// Registers a monitor for this program.
    ///
    /// - Throws: `ClientError` with `refused` if the permission does not include it.
    package func registerMonitor(_ request: MonitorRequest) async throws -> MonitorsReply.Monitor {
        try await answer(.POST, "/v1/monitors", request)
    }

    /// The monitors of this program.
    package func monitors() async throws -> MonitorsReply { try await answer(.GET, "/v1/monitors") }

    /// What happens to the monitors of this program, as long as the stream is read: while it is open, a monitor does not start
    /// the program, and the service sends events here. Acknowledge each `triggered`.
    package func monitorEvents() async throws -> EventStream<MonitorEvent> {
        try await stream(.GET, "/v1/monitors/events")
    }

    /// Reports that the program has got the event. One that is not acknowledged counts as a failure, and is sent again.
    package func acknowledge(_ event: MonitorEvent) async throws {
        try await perform(.POST, "/v1/monitors/events/\(escaped(event.event))/acknowledgement")
    }

    package func removeMonitor(_ identifier: String) async throws {
        try await perform(.DELETE, "/v1/monitors/\(escaped(identifier))")
    }
}

/// Engines, and a diagnosis. Only VoiceGate's own command may call these.
extension ServiceClient {
    /// The engines that are built in, installed and available.
    package func engines() async throws -> EngineListReply { try await answer(.GET, "/v1/engines") }

    /// Copies an engine's files into the state directory, verifies them and tries the engine.
    ///
    /// - Parameter folder: with its engine.json; absolute.
    package func addEngine(_ folder: String) async throws -> EngineReply {
        try await answer(.POST, "/v1/engines", EngineRequest(folder: folder))
    }

    /// Chooses the engine for a task; `nil`: for all that it can do.
    package func useEngine(_ id: String, for task: EngineTask?) async throws -> EngineReply {
        try await answer(.PUT, "/v1/engines/use", EngineUse(id: id, task: task))
    }

    package func removeEngine(_ id: String) async throws {
        try await perform(.DELETE, "/v1/engines/\(escaped(id))")
    }

    /// Reports that this process will run a program without a network.
    package func announceConfinement() async throws { try await perform(.PUT, "/v1/confinement") }

    /// What the service reports about itself.
    package func diagnosis() async throws -> DiagnosisReply { try await answer(.GET, "/v1/diagnosis") }
}
