import VoiceGateWire

/// The events of a dictation or of a transcription; the last is `ended`.
public typealias DictationStream = EventStream<TimedDictationEvent>

/// An event with its time.
public struct TimedDictationEvent: Sendable, Hashable {
    /// Seconds since the session's start.
    public let time: Double
    /// What happened.
    public let event: DictationEvent

    /// - Parameters:
    ///   - time: seconds since the session's start.
    ///   - event: what happened.
    public init(time: Double, event: DictationEvent) {
        self.time = time
        self.event = event
    }
}

/// An event of a session. `started` is the first, `ended` the last. Later versions may add some: a `switch` has a `default`.
public enum DictationEvent: Sendable, Hashable {
    /// It listens now. `grants`: the identifier of each resource's use, as in the records. `device`: `nil` for a file.
    case started(session: String, device: String?, grants: [Resource: String])
    /// Somebody begins to speak.
    case speechStarted(at: Double)
    /// The text so far of the current utterance.
    case partial(PartialTranscript)
    /// The text of an utterance.
    case final(Transcript)
    /// Seconds of a file that are done. `duration`: as its header states it, which may be wrong.
    case progress(seconds: Double, duration: Double?)
    /// Root mean square of the last tenth of a second in dBFS: 0 is a full-scale square wave, silence is −96.
    case level(Double)
    /// It does not listen, until no reason is left.
    case paused(PauseReason)
    /// This reason is over.
    case resumed(PauseReason)
    /// Frames at 16 kHz that were lost.
    case overrun(lostFrames: Int64)
    /// Nothing louder than these dBFS came in the first five seconds: the microphone may be muted, or the wrong one.
    case noSound(decibels: Double)
    /// The last event. `message`: what to do next, after a failure.
    case ended(DictationEnding, message: String?)
}

/// The text of one utterance. Times are seconds of audio since the session's first frame.
public struct Transcript: Sendable, Hashable, Decodable {
    /// What was said.
    public let text: String
    /// When the utterance begins.
    public let start: Double
    /// When the utterance ends.
    public let end: Double
    /// Each word with its times; empty at reduced fidelity.
    public let words: [TranscribedWord]
    /// Alternative texts, the best first, without the text itself; empty unless requested.
    public let alternatives: [String]
    /// Decibels of the speech above its noise if they are too few for the words to be reliable, else `nil`.
    public let noisyDecibels: Double?

    /// - Parameters:
    ///   - text: what was said.
    ///   - start: when the utterance begins.
    ///   - end: when it ends.
    ///   - words: each with its times.
    ///   - alternatives: alternative texts.
    ///   - noisyDecibels: of speech that is unreliable.
    public init(
        text: String, start: Double, end: Double, words: [TranscribedWord] = [], alternatives: [String] = [],
        noisyDecibels: Double? = nil
    ) {
        (self.text, self.start, self.end, self.words, self.alternatives) = (text, start, end, words, alternatives)
        self.noisyDecibels = noisyDecibels
    }

    private enum CodingKeys: String, CodingKey { case text, start, end, words, alternatives, noisyDecibels }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            text: try fields[.text], start: try fields[.start], end: try fields[.end],
            words: try fields.decodeIfPresent([TranscribedWord].self, forKey: .words) ?? [],
            alternatives: try fields.decodeIfPresent([String].self, forKey: .alternatives) ?? [],
            noisyDecibels: try fields.decodeIfPresent(Double.self, forKey: .noisyDecibels))
    }
}

/// The text so far of the current utterance.
public struct PartialTranscript: Sendable, Hashable, Decodable {
    /// What was heard so far.
    public let text: String
    /// The beginning of `text`, complete words, that every later partial of the utterance begins with. The final text may differ:
    /// it comes from a second pass.
    public let stableText: String

    /// - Parameters:
    ///   - text: what was heard so far.
    ///   - stableText: its beginning that stays.
    public init(text: String, stableText: String = "") { (self.text, self.stableText) = (text, stableText) }
}

extension TimedDictationEvent: Decodable {
    private enum CodingKeys: String, CodingKey {
        case type, time, session, device, grants, at, decibels, reason, lostFrames, message, seconds, duration
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let event: DictationEvent =
            switch try fields[.type] as String {
            case "started":
                .started(
                    session: try fields[.session], device: try fields.decodeIfPresent(String.self, forKey: .device),
                    grants: .init(named: try fields[.grants]))
            case "speechStarted": .speechStarted(at: try fields[.at])
            case "partial": .partial(try PartialTranscript(from: decoder))
            case "final": .final(try Transcript(from: decoder))
            case "level": .level(try fields[.decibels])
            case "paused": .paused(try fields[.reason])
            case "resumed": .resumed(try fields[.reason])
            case "overrun": .overrun(lostFrames: try fields[.lostFrames])
            case "noSound": .noSound(decibels: try fields[.decibels])
            case "progress":
                .progress(
                    seconds: try fields[.seconds], duration: try fields.decodeIfPresent(Double.self, forKey: .duration))
            case "ended":
                .ended(try fields[.reason], message: try fields.decodeIfPresent(String.self, forKey: .message))
            default: throw UnknownEvent()
            }
        self.init(time: try fields[.time], event: event)
    }
}
