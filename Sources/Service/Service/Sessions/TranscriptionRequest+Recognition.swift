import Authorization
import SocketAPI
import Speech

extension TranscriptionRequest {
    /// How its file is recognised.
    ///
    /// - Throws: `RouteError`, or `RecognitionError` with `wordsRefused`, for what is out of bounds.
    func recognition(for requester: Requester) throws -> RecognitionConfiguration {
        var recognition = RecognitionConfiguration(input: .file)
        if let taskHint { recognition.endSilence = taskHint.endSilence }
        if let alternatives {
            guard (0...RecognitionConfiguration.mostAlternatives).contains(alternatives) else {
                throw RouteError(
                    .invalidValue, "alternatives is a number from 0 to \(RecognitionConfiguration.mostAlternatives).")
            }
            recognition.alternatives = alternatives
        }
        if let grammar {
            guard grammar.utf8.count <= RecognitionTask.longestGrammar else {
                throw RouteError(
                    .invalidValue, "A grammar may have at most \(RecognitionTask.longestGrammar >> 10) KiB.")
            }
            recognition.task = .grammar(grammar)
        }
        recognition.userWords = try UserWords(contextPhrases: contextPhrases ?? [], text: words ?? "")
            .adding(contextPhrases: requester.client.manifest?.contextPhrases ?? [])
        return recognition
    }
}
