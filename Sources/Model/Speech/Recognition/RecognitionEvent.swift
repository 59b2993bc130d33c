/// What a recogniser tells, in order. Times are seconds of audio since the session's first frame.
public enum RecognitionEvent: Sendable, Hashable {
    case speechStarted(at: Double)
    /// What was understood so far of the utterance that is being spoken.
    case partial(PartialTranscript)
    /// An utterance, decoded again as a whole. May be empty of words when it was only noise.
    case final(Transcript)
    /// The utterance that was just heard stood so little above the noise that the engine cannot be trusted with it; its
    /// `final` follows and has no text. Signal to noise, in dB.
    case noisy(decibels: Double)
    /// What the session's speech says of the microphone; at most once, just before `finished`, only for live input.
    case learnt(CepstralMean)
    /// An engine outside of the service failed, and what it was asked for is recognised by the service's own from now on; at
    /// most once, before the first `final` that comes of it.
    case fellBack(EngineFallback)
    /// Only for files: so many seconds are done with, of so many where the file tells its length; a header can promise what
    /// never comes. The first tells that the file can be read.
    case progress(seconds: Double, duration: Double?)
    /// All audio after `finish()` was worked on; the last event. `duration`: seconds of audio.
    case finished(duration: Double)
    /// The last event of a recogniser that died or refused.
    case failed(RecognitionError)
}

/// An engine outside of the service that a session goes on without.
public struct EngineFallback: Sendable, Hashable, Codable {
    public enum Reason: String, Sendable, Codable, Hashable, CaseIterable {
        /// Nobody answers there.
        case unreachable
        /// It is served by somebody else than the service's user, root, or whom the administrator allows.
        case foreign
        /// It answered with an error.
        case refused
        /// It did not answer in time.
        case hung
        /// It closed the connection before it had answered.
        case died
        /// Its answer is not the protocol, or too long.
        case garbage
    }

    /// As the notice names it, such as `wyoming:unix:///run/user/1000/whisper.sock`.
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

/// Why nothing is recognised.
public struct RecognitionError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Codable, Hashable, CaseIterable {
        /// The model is missing or was refused.
        case modelUnavailable
        /// The worker process died.
        case workerDied
        /// The worker did not answer in time and was ended.
        case workerHung
        /// All recognisers are in use.
        case busy
        /// No worker could be started.
        case workerUnavailable
        /// The sound file is none, is broken, or has no frames.
        case badAudio
        /// A phrase that cannot be listened for; the message names it or its word.
        case phraseRefused
        /// A grammar that cannot be listened for; the message names what is wrong with it.
        case grammarRefused
        /// More of the user's words than are taken.
        case wordsRefused
        /// What the other side sent is not the protocol.
        case protocolViolation
        /// The permission ended.
        case permissionEnded
    }

    public let code: Code
    /// A sentence: what happened and what to do next.
    public let message: String

    public init(code: Code, message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
