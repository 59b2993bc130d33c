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
