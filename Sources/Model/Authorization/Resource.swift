/// What a client can be allowed to use. Each has its own authorization status, decided by the person one by one.
public enum Resource: String, Sendable, Codable, CaseIterable, Hashable {
    /// Turning speech into text, as `SFSpeechRecognizer` guards it.
    case speechRecognition
    /// Capturing audio from an ALSA device, as `AVAudioApplication` guards it.
    case microphone

    /// The Info.plist key whose text tells the person why the client asks. A request without it is refused.
    public var usageDescriptionKey: String {
        switch self {
        case .speechRecognition: "NSSpeechRecognitionUsageDescription"
        case .microphone: "NSMicrophoneUsageDescription"
        }
    }

    /// How a sentence names the resource.
    public var phrase: String {
        switch self {
        case .speechRecognition: "speech recognition"
        case .microphone: "the microphone"
        }
    }
}
