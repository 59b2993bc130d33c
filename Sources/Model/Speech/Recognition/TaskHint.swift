/// What is being said: decides how long a pause ends an utterance.
public enum TaskHint: String, Sendable, Codable, Hashable, CaseIterable {
    /// Sentences, with pauses to think.
    case dictation
    /// A few words to look for.
    case search
    /// One of a few short commands.
    case command

    /// Seconds.
    public var endSilence: Double {
        switch self {
        case .dictation: 0.8
        case .search: 0.6
        case .command: 0.5
        }
    }
}
