import Authorization

/// An event of a session for its client. `started` is the first, `ended` the last.
public enum DictationEvent: Sendable, Hashable {
    /// It listens now. `grants`: the lease identifier of each resource, as in the records. `device`: `nil` for a file.
    case started(session: String, device: String?, grants: [Resource: String])
    case speechStarted(at: Double)
    case partial(PartialTranscript)
    case final(Transcript)
    /// Seconds of a file that are done. `duration`: as its header states it, which may be wrong.
    case progress(seconds: Double, duration: Double?)
    /// Root mean square of the last tenth of a second in dBFS: 0 is a full-scale square wave, silence is −96.
    case level(Double)
    /// What the recogniser got, at 16 kHz.
    case sound([Int16])
    case paused(reason: PauseReason)
    case resumed(reason: PauseReason)
    /// Frames at 16 kHz that were lost.
    case overrun(lostFrames: Int64, cause: LossCause = .overrun)
    /// Nothing louder than these dBFS came in the first five seconds: the microphone may be muted, or the wrong one. At most once.
    case noSound(decibels: Double)
    /// `message`: what to do next, after a failure.
    case ended(DictationEnding, message: String?)
}

/// Why sound of the device was lost.
public enum LossCause: String, Sendable, Codable, Hashable, CaseIterable {
    /// A buffer overran: the machine was too busy, or the device restarted.
    case overrun
    /// The machine or the device was suspended.
    case suspended
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

/// Why a session ended: the `reason` of its `ended` event and of its record.
public enum DictationEnding: String, Sendable, Codable, Hashable, CaseIterable {
    /// By the client; the audio was decoded to its end.
    case ended
    /// By the client; the audio was dropped.
    case cancelled
    /// No speech for the requested time, after speech had begun.
    case silence
    /// The user withdrew a permission.
    case revoked
    /// A policy came into force.
    case restricted
    /// The user muted all clients.
    case muted
    /// The client of a one-time permission stayed in the background.
    case background
    /// The screen was locked, and the client may listen only in the foreground.
    case locked
    /// The same, for another session on the screen.
    case switched
    /// The same, for the machine's sleep.
    case asleep
    /// The capture device was lost.
    case deviceLost
    /// The recogniser or the device failed; see the event's message.
    case failed
    /// The client's connection closed, or its process ended.
    case disconnected
    /// A sound file is cut off or damaged, or more follows that cannot be read: what could be read was transcribed.
    case incomplete
    /// The client let the service wait too long: for the rest of its file, or by not reading its events.
    case clientStalled
    /// The service did not read the client's file in time: its recogniser did not answer, and was ended.
    case serviceStalled
    /// The service is stopping.
    case serviceStopped

    public init(_ ending: LeaseEnding) {
        switch ending {
        case .revoked: self = .revoked
        case .restricted: self = .restricted
        case .muted: self = .muted
        case .background: self = .background
        case .locked: self = .locked
        case .switched: self = .switched
        case .asleep: self = .asleep
        case .disconnected: self = .disconnected
        case .finished: self = .ended
        }
    }
}

/// Why a session does not listen for a while.
public enum PauseReason: String, Sendable, Codable, Hashable, CaseIterable {
    /// By the client.
    case suspended
    /// The capture device was lost and may return.
    case deviceLost
    /// The client is in the background, where it may not listen; audio is dropped meanwhile.
    case background
    /// The user's screen is locked. The device is closed meanwhile.
    case locked
    /// Another user's session is on the screen. The device is closed meanwhile.
    case switched
    /// The machine sleeps. The device is closed meanwhile.
    case asleep

    public init(_ absence: Absence) {
        switch absence {
        case .locked: self = .locked
        case .switched: self = .switched
        case .asleep: self = .asleep
        }
    }

    /// Whether the user is absent.
    public var isAbsence: Bool { Absence(rawValue: rawValue) != nil }
}

/// A client's command to its running session.
public enum SessionControl: String, Sendable, Codable, Hashable, CaseIterable {
    /// Stops listening; the audio is decoded to its end.
    case end
    /// Stops listening; the audio is dropped.
    case cancel
    /// Drops audio from now on.
    case suspend
    case resume
}
