import Authorization

/// Turns frames into words, only for a grant.
public protocol Recognizer: Sendable {
    /// Starts a session with a recogniser of its own: nothing of an earlier session is left in it.
    func start(
        _ configuration: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant
    ) async throws(RecognitionError) -> any RecognitionSession

    /// Who would recognise what is asked for, if it is allowed at full fidelity.
    func engine(for configuration: RecognitionConfiguration) -> SpeechEngine
}

extension Recognizer {
    public func engine(for configuration: RecognitionConfiguration) -> SpeechEngine { .ofService }
}
