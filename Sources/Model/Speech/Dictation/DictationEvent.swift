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

/// An event with its time, in seconds since the session's start.
public struct TimedDictationEvent: Sendable, Hashable {
    public let time: Double
    public let event: DictationEvent

    public init(time: Double, event: DictationEvent) {
        self.time = time
        self.event = event
    }
}

/// Why a session ended; the `reason` of its `ended` event and of its record.
public enum DictationEnding: String, Sendable, Codable, Hashable, CaseIterable {
    /// The client asked for it; what was heard was decoded to its end.
    case ended
    /// The client threw away what was heard.
    case cancelled
    /// Nobody spoke for as long as was asked for, after speech had begun.
    case silence
    /// The person took a permission back.
    case revoked
    /// A policy came into force.
    case restricted
    /// The person muted everything.
    case muted
    /// A yes for one session ended because its client stayed in the background.
    case background
    /// The capture device went away.
    case deviceLost
    /// The recogniser or the device failed; the event's message says how.
    case failed
    /// The client's connection closed.
    case disconnected
    /// The service is being stopped.
    case serviceStopped
}

extension DictationEnding {
    public init(_ ending: LeaseEnding) {
        switch ending {
        case .revoked: self = .revoked
        case .restricted: self = .restricted
        case .muted: self = .muted
        case .background: self = .background
        case .finished: self = .ended
        }
    }
}

/// Why a session does not listen for a while.
public enum PauseReason: String, Sendable, Codable, Hashable, CaseIterable {
    /// The client asked for it.
    case suspended
    /// The capture device is gone and is waited for.
    case deviceLost
    /// The client is in the background, where it may not listen; what is said meanwhile is dropped.
    case background
}

/// What a client can say to its running session.
public enum SessionControl: String, Sendable, Codable, Hashable, CaseIterable {
    /// No more listening; what was heard is decoded to its end.
    case end
    /// No more listening; what was heard is thrown away.
    case cancel
    /// Audio is dropped from now on.
    case suspend
    case resume
}
