/// A kind of audio data that a client may collect (`VoiceGateDataKinds` in its manifest).
public enum DataKind: String, Sendable, Hashable, Codable, CaseIterable {
    case liveAudio
    case transcript
    case recording
    case voiceProfile

    /// How a notice names it.
    public var phrase: String {
        switch self {
        case .liveAudio: "live audio"
        case .transcript: "the recognised text"
        case .recording: "recordings"
        case .voiceProfile: "a profile of your voice"
        }
    }
}
