/// What the user chooses an engine for.
public enum EngineTask: String, Sendable, Hashable, Codable, CaseIterable {
    /// Any speech, from the microphone.
    case dictation
    /// Any speech, from sound files.
    case files
    case phrases
    case keyPhrases = "key-phrases"
    case grammar
}
