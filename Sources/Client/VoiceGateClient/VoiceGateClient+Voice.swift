import NIOHTTP1
import SocketAPI

/// Learning a voice, so that this client's sessions understand it better.
extension VoiceGateClient {
    /// Listens to somebody who reads sentences aloud, and learns. Needs both permissions, and that keeping a voice profile
    /// is declared and agreed to.
    public func enroll(_ request: EnrolmentRequest = EnrolmentRequest()) async throws -> EventStream<EnrolmentEvent> {
        try await stream(.POST, "/v1/voice-profile", request)
    }

    /// The same from recordings; needs speech recognition only.
    ///
    /// - Parameter lines: `EnrolmentRecording` as JSON, one a line, read as the service takes them.
    public func enroll<Lines: AsyncSequence & Sendable>(recordings lines: Lines) async throws
        -> EventStream<EnrolmentEvent> where Lines.Element == [UInt8]
    {
        let exchange = try await Exchange(socketPath: socketPath)
        let head = head(
            .POST, "/v1/voice-profile/recordings",
            [("Content-Type", "application/x-ndjson"), ("Transfer-Encoding", "chunked")])
        let upload = Task { [channel = exchange.channel] in await Exchange.send(head, streaming: lines, over: channel) }
        do {
            _ = try await exchange.response()
        } catch {
            upload.cancel()
            throw error
        }
        return exchange.events(of: EnrolmentEvent.self)
    }

    /// The profiles that are kept: this client's; for the person those of all clients.
    public func voiceProfiles(of client: String? = nil) async throws -> VoiceProfilesReply {
        try await answer(.GET, "/v1/voice-profile" + query(client))
    }

    /// Erases them for good.
    ///
    /// - Returns: how many they were.
    public func removeVoiceProfiles(of client: String? = nil) async throws -> Int {
        let reply: ErasureReply = try await answer(.DELETE, "/v1/voice-profile" + query(client))
        return reply.erased
    }

    private func query(_ client: String?) -> String { client.map { "?client=\(escaped($0))" } ?? "" }
}
