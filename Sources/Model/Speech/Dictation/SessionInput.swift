import Authorization

/// All that can happen to a session, in one queue, so that one loop decides about it in order.
enum SessionInput: Sendable {
    /// Seconds of audio that were captured so far, and the level of the last tenth of a second.
    case progress(seconds: Double, decibels: Double)
    case overrun(lostFrames: Int64)
    /// The client is in the background, and its permission does not reach there.
    case wentToBackground
    case returned
    /// It has been in the background for longer than a yes for one session bears.
    case leftForTooLong
    case deviceLost
    case deviceReturned
    case captureFailed(CaptureError)
    case recognition(RecognitionEvent)
    /// The recogniser's events are over without a last word of it.
    case recognitionEnded
    case control(SessionControl)
    case leaseEnded(LeaseEnding)
    /// Given up from outside.
    case abandoned(DictationEnding)
}
