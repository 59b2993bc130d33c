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
