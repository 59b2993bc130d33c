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

/// The user chose another engine for tasks.
public struct EngineChange: Sendable, Hashable {
    public let tasks: [EngineTask]
    public let from: SpeechEngine
    public let to: SpeechEngine
    public let user: UInt32

    public init(_ tasks: [EngineTask], from: SpeechEngine, to: SpeechEngine, user: UInt32) {
        self.tasks = tasks
        self.from = from
        self.to = to
        self.user = user
    }
}
