import Authorization
import Speech

/// `POST /v1/dictation`; every field may be absent. Answered with a stream of `TimedDictationEvent`, one a line.
public struct DictationRequest: Sendable, Hashable, Codable {
    /// ALSA's PCM name; absent: the configured one, else `default`.
    public var device: String?
    /// Waits for a device that is lost, instead of ending with `deviceLost`.
    public var waitForDevice: Bool?
    /// Seconds, more than 0: ends the session after this much silence, once speech has begun.
    public var stopAfterSilence: Double?
    /// Seconds, 0.2 to 5: the pause that ends an utterance.
    public var endSilence: Double?
    /// `dictation`, `search` or `command`: the length of the pause that ends an utterance, without `endSilence`.
    public var taskHint: TaskHint?
    /// Likely phrases: at most 500 of at most 200 characters.
    public var contextPhrases: [String]?
    /// The user's own writing, at most 512 KiB: its words and sequences of words are recognised better.
    public var words: String?
    /// JSGF, at most 64 KiB: only what it allows is recognised.
    public var grammar: String?
    /// 0 to 10: the number of alternative texts of each utterance.
    public var alternatives: Int?
    /// Sends `level` events, ten a second.
    public var level: Bool?
    /// `false`: refuses at once instead of asking the user.
    public var ask: Bool?
    /// `true`: starts suspended; it does not listen before `resume`.
    public var suspended: Bool?

    public init(
        device: String? = nil, waitForDevice: Bool? = nil, stopAfterSilence: Double? = nil, endSilence: Double? = nil,
        taskHint: TaskHint? = nil, contextPhrases: [String]? = nil, words: String? = nil, grammar: String? = nil,
        alternatives: Int? = nil, level: Bool? = nil, ask: Bool? = nil, suspended: Bool? = nil
    ) {
        self.device = device
        self.waitForDevice = waitForDevice
        self.stopAfterSilence = stopAfterSilence
        self.endSilence = endSilence
        self.taskHint = taskHint
        self.contextPhrases = contextPhrases
        self.words = words
        self.grammar = grammar
        self.alternatives = alternatives
        self.level = level
        self.ask = ask
        self.suspended = suspended
    }
}

/// A line of a dictation's stream: `{"type":"partial","time":1.2,"text":"so far","stablePrefix":0}`.
extension TimedDictationEvent: Codable {
    private enum Kind: String, Codable {
        case started, speechStarted, partial, final, level, paused, resumed, overrun, noisy, ended, progress, fallback
    }

    private enum CodingKeys: String, CodingKey {
        case type, time, session, device, grants, at, text, stablePrefix, start, end, words, decibels, reason
        case lostFrames, message, seconds, duration
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let event: DictationEvent
        switch try container.decode(Kind.self, forKey: .type) {
        case .started:
            let grants = try container.decode([String: String].self, forKey: .grants)
            event = .started(
                session: try container.decode(String.self, forKey: .session),
                device: try container.decodeIfPresent(String.self, forKey: .device),
                grants: Dictionary(
                    uniqueKeysWithValues: grants.compactMap { key, value in Resource(rawValue: key).map { ($0, value) }
                    }
                ))
        case .speechStarted:
            event = .speechStarted(at: try container.decode(Double.self, forKey: .at))
        case .partial:
            event = .partial(try PartialTranscript(from: decoder))
        case .final:
            event = .final(try Transcript(from: decoder))
        case .level:
            event = .level(try container.decode(Double.self, forKey: .decibels))
        case .paused:
            event = .paused(reason: try container.decode(PauseReason.self, forKey: .reason))
        case .resumed:
            event = .resumed(reason: try container.decode(PauseReason.self, forKey: .reason))
        case .overrun:
            event = .overrun(lostFrames: try container.decode(Int64.self, forKey: .lostFrames))
        case .noisy:
            event = .noisy(decibels: try container.decode(Double.self, forKey: .decibels))
        case .fallback:
            event = .fallback(try EngineFallback(from: decoder))
        case .progress:
            event = .progress(
                seconds: try container.decode(Double.self, forKey: .seconds),
                duration: try container.decodeIfPresent(Double.self, forKey: .duration))
        case .ended:
            event = .ended(
                try container.decode(DictationEnding.self, forKey: .reason),
                message: try container.decodeIfPresent(String.self, forKey: .message))
        }
        self.init(time: try container.decode(Double.self, forKey: .time), event: event)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode((time * 1000).rounded() / 1000, forKey: .time)
        switch event {
        case .started(let session, let device, let grants):
            try container.encode(Kind.started, forKey: .type)
            try container.encode(session, forKey: .session)
            try container.encodeIfPresent(device, forKey: .device)
            try container.encode(
                Dictionary(uniqueKeysWithValues: grants.map { ($0.key.rawValue, $0.value) }), forKey: .grants)
        case .speechStarted(let at):
            try container.encode(Kind.speechStarted, forKey: .type)
            try container.encode(at, forKey: .at)
        case .partial(let partial):
            try container.encode(Kind.partial, forKey: .type)
            try partial.encode(to: encoder)
        case .final(let transcript):
            try container.encode(Kind.final, forKey: .type)
            try transcript.encode(to: encoder)
        case .level(let decibels):
            try container.encode(Kind.level, forKey: .type)
            try container.encode(decibels, forKey: .decibels)
        case .paused(let reason):
            try container.encode(Kind.paused, forKey: .type)
            try container.encode(reason, forKey: .reason)
        case .resumed(let reason):
            try container.encode(Kind.resumed, forKey: .type)
            try container.encode(reason, forKey: .reason)
        case .overrun(let lostFrames):
            try container.encode(Kind.overrun, forKey: .type)
            try container.encode(lostFrames, forKey: .lostFrames)
        case .noisy(let decibels):
            try container.encode(Kind.noisy, forKey: .type)
            try container.encode((decibels * 10).rounded() / 10, forKey: .decibels)
        case .fallback(let fallback):
            try container.encode(Kind.fallback, forKey: .type)
            try fallback.encode(to: encoder)
        case .progress(let seconds, let duration):
            try container.encode(Kind.progress, forKey: .type)
            try container.encode((seconds * 1000).rounded() / 1000, forKey: .seconds)
            try container.encodeIfPresent(duration.map { ($0 * 1000).rounded() / 1000 }, forKey: .duration)
        case .ended(let reason, let message):
            try container.encode(Kind.ended, forKey: .type)
            try container.encode(reason, forKey: .reason)
            try container.encodeIfPresent(message, forKey: .message)
        }
    }
}

/// What is known about the words of a sound file. With the media type `mediaType`, the body of
/// `POST /v1/audio/transcriptions` is this as JSON in one line, then the file; every field may be absent.
public struct TranscriptionRequest: Sendable, Hashable, Codable {
    public static let mediaType = "application/x-voicegate-transcription"
    /// Bytes of the line.
    public static let longestLine = 1_048_576

    /// As in `DictationRequest`.
    public var taskHint: TaskHint?
    public var contextPhrases: [String]?
    public var words: String?
    public var grammar: String?
    public var alternatives: Int?

    public init(
        taskHint: TaskHint? = nil, contextPhrases: [String]? = nil, words: String? = nil, grammar: String? = nil,
        alternatives: Int? = nil
    ) {
        self.taskHint = taskHint
        self.contextPhrases = contextPhrases
        self.words = words
        self.grammar = grammar
        self.alternatives = alternatives
    }

    public var isEmpty: Bool { self == TranscriptionRequest() }
}

/// `POST /v1/audio/transcriptions` with a sound file as the body.
///
/// With `Accept: application/x-ndjson` the answer is a stream of `TimedDictationEvent` instead, with each utterance once it is
/// decoded.
public struct TranscriptionReply: Sendable, Hashable, Codable {
    public var text: String
    public var segments: [Transcript]

    public init(segments: [Transcript]) {
        self.segments = segments
        self.text = segments.map(\.text).filter { !$0.isEmpty }.joined(separator: " ")
    }
}
