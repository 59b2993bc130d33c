/// What a recogniser tells, in order. Times are seconds of audio since the session's first frame.
public enum RecognitionEvent: Sendable, Hashable {
    case speechStarted(at: Double)
    /// What was understood so far of the utterance that is being spoken.
    case partial(PartialTranscript)
    /// An utterance, decoded again as a whole. May be empty of words when it was only noise.
    case final(Transcript)
    /// All audio after `finish()` was worked on; the last event. `duration`: seconds of audio.
    case finished(duration: Double)
    /// The last event of a recogniser that died or refused.
    case failed(RecognitionError)
}
