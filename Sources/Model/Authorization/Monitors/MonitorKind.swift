/// What a monitor waits for.
public enum MonitorKind: Sendable, Hashable {
    /// Somebody speaks, or something else is louder than the room.
    case soundBegan
    case keyPhrase(String)

    /// What the service needs to listen for it.
    public var resources: [Resource] {
        switch self {
        case .soundBegan: [.microphone]
        case .keyPhrase: [.speechRecognition, .microphone]
        }
    }

    /// `soundBegan` or `keyPhrase`.
    public var name: String {
        switch self {
        case .soundBegan: "soundBegan"
        case .keyPhrase: "keyPhrase"
        }
    }

    public var phrase: String? { if case .keyPhrase(let phrase) = self { phrase } else { nil } }

    /// - Returns: `nil` when the two do not fit together.
    public init?(name: String, phrase: String?) {
        switch (name, phrase) {
        case ("soundBegan", nil): self = .soundBegan
        case ("keyPhrase", let phrase?): self = .keyPhrase(phrase)
        default: return nil
        }
    }
}
