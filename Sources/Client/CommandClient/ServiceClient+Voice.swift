import NIOHTTP1
import SocketAPI
import protocol VoiceGateClient.ServiceConnection

/// Learning a voice, so that this client's sessions understand it better.
extension ServiceClient {
    /// Listens while the user reads sentences aloud, and learns from that. Needs both permissions, and a manifest that
    /// declares that a voice profile is kept.
    package func enroll(_ request: EnrolmentRequest = EnrolmentRequest()) async throws -> EventStream<EnrolmentEvent> {
        try await stream(.POST, "/v1/voice-profile", request)
    }

    /// The same from recordings; needs speech recognition only.
    ///
    /// - Parameter lines: `EnrolmentRecording` as JSON, one a line, read as the service takes them.
    package func enroll<Lines: AsyncSequence & Sendable>(recordings lines: Lines) async throws
        -> EventStream<EnrolmentEvent> where Lines.Element == [UInt8]
    {
        try await upload(lines, to: "/v1/voice-profile/recordings", [("Content-Type", "application/x-ndjson")])
    }

    /// The profiles that are kept of this client; of all clients for VoiceGate's own command.
    package func voiceProfiles(of client: String? = nil) async throws -> VoiceProfilesReply {
        try await answer(.GET, "/v1/voice-profile", query: ["client": client])
    }

    /// Erases profiles permanently.
    ///
    /// - Returns: how many were erased.
    package func removeVoiceProfiles(of client: String? = nil) async throws -> Int {
        let reply: ErasureReply = try await answer(.DELETE, "/v1/voice-profile", query: ["client": client])
        return reply.erased
    }
}
