import VoiceGateClient

/// What the user says until two seconds of silence.
///
/// - Parameter service: in tests a `SpeechServiceDouble`.
/// - Throws: `ClientError` for a refusal.
public func note(from service: some SpeechService) async throws -> String {
    var text: [String] = []
    for try await received in try await service.dictate(DictationRequest(stopAfterSilence: 2)) {
        if case .final(let utterance) = received.event { text.append(utterance.text) }
    }
    return text.joined(separator: " ")
}
