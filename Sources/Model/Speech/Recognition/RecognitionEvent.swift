import Authorization

/// An event of a recogniser. Times are seconds of audio since the session's first frame.
public enum RecognitionEvent: Sendable, Hashable {
    case speechStarted(at: Double)
    /// The text so far of the current utterance.
    case partial(PartialTranscript)
    /// An utterance, decoded again as a whole. Has no words if it was noise.
    case final(Transcript)
    /// Only for a file, and only if the configuration asks for it: a piece of the sound of the utterance whose `final` is next,
    /// at 16 kHz.
    case sound([Int16])
    /// The cepstral mean of the session's speech; at most once, just before `finished`, only for live input.
    case learnt(CepstralMean)
    /// The engine failed or may not be used any more; the service's own engine recognises from now on. Before the `final` of the
    /// utterance that failed, and not again before the engine has recovered.
    case fellBack(EngineFallback)
    /// Another engine recognises from now on; for the records.
    case engineChanged(EngineChange)
    /// Only for files: seconds that are done. `duration`: as the header states it, which may be wrong. The first one means that
    /// the file can be read.
    case progress(seconds: Double, duration: Double?)
    /// The last event: all audio before `finish()` was decoded. `duration`: seconds of audio.
    case finished(duration: Double)
    /// The last event of a recogniser that failed or refused.
    case failed(RecognitionError)
}

/// Why a session continues without its engine.
public struct EngineFallback: Error, Sendable, Hashable, Codable {
    public enum Reason: String, Sendable, Codable, Hashable, CaseIterable {
        /// It does not answer.
        case unreachable
        /// It runs as another user than the service's or root, and the administrator does not allow it.
        case foreign
        /// It answered with an error.
        case refused
        /// It did not answer in time.
        case hung
        /// It closed the connection before it had answered.
        case died
        /// Its answer breaks the protocol or is too long.
        case garbage
        /// The user allows the client only its phrases now, which an engine outside of the service does not hear.
        case reduced
    }

    /// Its name, such as `Moonshine tiny 0.0.73` or `wyoming:unix:///run/user/1000/whisper.sock`.
    public let engine: String
    public let reason: Reason
    /// A sentence: what happened and what to do next.
    public let message: String

    public init(engine: String, reason: Reason, message: String) {
        self.engine = engine
        self.reason = reason
        self.message = message
    }
}

extension EventQueue<RecognitionEvent> {
    /// Replaces live text that was not read yet: only the newest matters.
    public func append(live text: PartialTranscript) {
        change { events in
            if case .partial? = events.last { events.removeLast() }
            events.append(.partial(text))
        }
    }
}

/// Why recognition failed.
public typealias RecognitionError = CodedError<RecognitionErrorCode>

public enum RecognitionErrorCode: String, Sendable, Codable, Hashable, CaseIterable {
    /// The model is missing or was refused.
    case modelUnavailable
    /// The worker process died.
    case workerDied
    /// The worker did not answer in time and was killed.
    case workerHung
    /// All recognisers are in use.
    case busy
    /// The engine failed to decode the audio.
    case decodingFailed
    /// No worker could be started.
    case workerUnavailable
    /// The sound file is unreadable, or has no frames.
    case badAudio
    /// A phrase cannot be recognised; the message names it or its word.
    case phraseRefused
    /// A grammar cannot be used; the message gives the reason.
    case grammarRefused
    /// No engine here recognises the language; the message lists those that are installed.
    case languageUnavailable
    /// Too many context phrases, or too much sample text.
    case wordsRefused
    /// The other side broke the protocol.
    case protocolViolation
    /// The permission ended.
    case permissionEnded
}
