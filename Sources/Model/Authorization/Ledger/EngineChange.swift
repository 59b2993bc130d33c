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

/// What recognises speech from now on.
public struct EngineChange: Sendable, Hashable {
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The user chose it.
        case chosen
        /// The chosen engine failed during a session.
        case fallback
        /// The engine that had failed recognises again, in the same session.
        case recovered
        /// The user allows the client only its phrases now, which an engine outside of the service does not hear.
        case reduced
    }

    public let tasks: [EngineTask]
    public let from: SpeechEngine
    public let to: SpeechEngine
    public let reason: Reason
    public var user: UInt32?
    /// Of the session in which an engine failed.
    public var client: ClientIdentifier?
    public var session: String?

    public init(
        _ tasks: [EngineTask], from: SpeechEngine, to: SpeechEngine, _ reason: Reason, user: UInt32? = nil,
        client: ClientIdentifier? = nil, session: String? = nil
    ) {
        self.tasks = tasks
        self.from = from
        self.to = to
        self.reason = reason
        self.user = user
        self.client = client
        self.session = session
    }
}
