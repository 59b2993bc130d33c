/// `GET /v1/voice-profile`: the profiles of the person's voice that are kept, one for each client at most that is used.
public struct VoiceProfilesReply: Sendable, Hashable, Codable {
    public var profiles: [VoiceProfileReply]

    public init(profiles: [VoiceProfileReply]) { self.profiles = profiles }
}
