import Authorization
import Speech

/// Gives each session the voice profile of the user and the client that its grant names.
struct AdaptingRecognizer: Recognizer {
    let recognizer: any Recognizer
    let profiles: VoiceProfiles

    func engine(for configuration: RecognitionConfiguration) -> SpeechEngine {
        recognizer.engine(for: configuration)
    }

    func start(
        _ configuration: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant
    ) async throws(RecognitionError) -> any RecognitionSession {
        var configuration = configuration
        let key = grant.lease.key
        if let transform = await profiles.transform(for: key.client, user: key.user) {
            configuration.adaptation = SpeakerAdaptation(mean: configuration.adaptation.mean, transform: transform)
        }
        return try await recognizer.start(configuration, grant: grant)
    }
}
