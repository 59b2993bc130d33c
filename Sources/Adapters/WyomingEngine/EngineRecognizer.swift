import Authorization
import Speech

/// A recogniser whose live text, and the places where utterances begin and end, are the service's own, and whose final text
/// comes from an engine outside of it.
///
/// Only dictation by microphone, at full fidelity: phrases, grammars and files stay in the service.
public struct EngineRecognizer: Recognizer {
    private let recognizer: any Recognizer
    private let outside: OutsideEngine

    public init(_ recognizer: any Recognizer, asking engine: OutsideEngine) {
        self.recognizer = recognizer
        outside = engine
    }

    public func engine(for configuration: RecognitionConfiguration) -> SpeechEngine {
        guard configuration.input == .live, case .dictation = configuration.task else { return .ofService }
        return .outside(name: "\(outside.address)")
    }

    public func start(
        _ configuration: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant
    ) async throws(RecognitionError) -> any RecognitionSession {
        let session = try await recognizer.start(configuration, grant: grant)
        guard engine(for: configuration) != .ofService else { return session }
        return EngineSession(session, asking: outside, lease: grant.lease)
    }
}
