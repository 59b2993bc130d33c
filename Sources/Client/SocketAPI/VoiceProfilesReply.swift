/// `GET /v1/voice-profile`: the profiles of the person's voice that are kept, one for each client at most that is used.
public struct VoiceProfilesReply: Sendable, Hashable, Codable {
    public var profiles: [VoiceProfileReply]
    /// Why this client's voice cannot be learnt now, and what to do about it.
    public var problem: String?

    public init(profiles: [VoiceProfileReply], problem: String? = nil) {
        self.profiles = profiles
        self.problem = problem
    }
}
