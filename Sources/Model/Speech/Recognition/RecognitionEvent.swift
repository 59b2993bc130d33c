import Base

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
    /// Only for files: seconds that are done. `duration`: as the header states it, which may be wrong. The first one means that
    /// the file can be read.
    case progress(seconds: Double, duration: Double?)
    /// Only for files, at most once, just before `finished`: why the rest of the file is missing.
    case incomplete(String)
    /// The last event: all audio before `finish()` was decoded. `duration`: seconds of audio.
    case finished(duration: Double)
    /// The last event of a recogniser that failed or refused.
    case failed(RecognitionError)
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
    /// The engine cannot use a part of the request; the message names it, and the engines that can.
    case optionUnavailable
    /// Too many context phrases, or too much sample text.
    case wordsRefused
    /// The other side broke the protocol.
    case protocolViolation
    /// The permission ended.
    case permissionEnded
}
