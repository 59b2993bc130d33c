import Authorization

/// What a session tells its client, in order. `started` is the first, `ended` the last.
public enum DictationEvent: Sendable, Hashable {
    /// It listens now. `grants`: the lease identifier of each resource, as the records name them. `device` is `nil` for
    /// a file.
    case started(session: String, device: String?, grants: [Resource: String])
    case speechStarted(at: Double)
    case partial(PartialTranscript)
    case final(Transcript)
    /// The utterance that was just heard stood too little above the noise; its `final` follows and has no text. Signal to
    /// noise, in dB.
    case noisy(decibels: Double)
    /// The engine outside of the service failed; from now on the service's own recognises alone. At most once a session.
    case fallback(EngineFallback)
    /// So many seconds of a file are done with, of so many where the file tells its length; a header can promise what never
    /// comes.
    case progress(seconds: Double, duration: Double?)
    /// Root mean square of the last tenth of a second, dBFS: 0 is a full-scale square wave, silence −96.
    case level(Double)
    case paused(reason: PauseReason)
    case resumed(reason: PauseReason)
    /// Frames at 16 kHz that were lost.
    case overrun(lostFrames: Int64)
    /// `message` says what to do next where something failed.
    case ended(DictationEnding, message: String?)
}
