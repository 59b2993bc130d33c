import Authorization
import Speech

/// A recogniser with the service's own utterance boundaries, whose text comes from an external engine.
///
/// For dictation, by microphone or from a file, at full fidelity only: phrases and grammars stay in the service.
public struct EngineRecognizer: Recognizer {
    private let recognizer: any Recognizer
    private let outside: OutsideEngine

    public init(_ recognizer: any Recognizer, asking engine: OutsideEngine) {
        self.recognizer = recognizer
        outside = engine
    }

    public func engine(for configuration: RecognitionConfiguration) -> SpeechEngine {
        isForOutside(configuration) ? outside.identity : recognizer.engine(for: configuration)
    }

    public func checkLanguage(of configuration: RecognitionConfiguration) async throws(RecognitionError) {
        guard configuration.language != nil || !configuration.required.isEmpty else { return }
        if configuration.task == .dictation {
            await outside.describe()
            if isForOutside(configuration) { return try checkOptions(of: configuration) }
        }
        do {
            try await recognizer.checkLanguage(of: configuration)
        } catch  where error.code == .languageUnavailable && configuration.task == .dictation {
            throw RecognitionError(code: error.code, message: error.message + outsideLanguages)
        }
    }

    public func start(
        _ configuration: RecognitionConfiguration, grant: borrowing SpeechRecognitionGrant
    ) async throws(RecognitionError) -> any RecognitionSession {
        guard configuration.task == .dictation else {
            return try await recognizer.start(configuration, grant: grant)
        }
        await outside.describe()
        // Sound must not leave the service if the record does not say so.
        guard configuration.recorded?.isOutside ?? isForOutside(configuration) else {
            return try await recognizer.start(configuration, grant: grant)
        }
        let request = EngineRequest(
            language: configuration.language.map { outside.declared?.tag(of: $0) ?? $0.code },
            terms: configuration.userWords.contextPhrases)
        let isFile = configuration.input == .file
        var inner = configuration
        inner.givesSound = isFile
        let session: any RecognitionSession
        var knowsLanguage = true
        do {
            session = try await recognizer.start(inner, grant: grant)
        } catch  where error.code == .languageUnavailable {
            // It finds the utterances, whose text is the engine's alone.
            (inner.language, knowsLanguage) = (nil, false)
            session = try await recognizer.start(inner, grant: grant)
        }
        return EngineSession(
            session, knowsLanguage: knowsLanguage, ofFile: isFile, asking: outside, request, lease: grant.lease)
    }

    private func isForOutside(_ configuration: RecognitionConfiguration) -> Bool {
        guard configuration.task == .dictation else { return false }
        guard let language = configuration.language else { return true }
        return outside.declared?.capabilities.speaks(language) ?? true
    }

    private func checkOptions(of configuration: RecognitionConfiguration) throws(RecognitionError) {
        let lacking = EngineCapabilities(options: EngineRequest.options).lacks(configuration.required)
        guard !lacking.isEmpty else { return }
        throw RecognitionError(
            lacking, of: outside.identity.title ?? "\(outside.address)", others: [], for: EngineTask(of: configuration))
    }

    private var outsideLanguages: String {
        let languages = outside.declared?.capabilities.languages ?? []
        return " \(outside.address) recognises \(languages.joined(separator: ", "))."
    }
}
