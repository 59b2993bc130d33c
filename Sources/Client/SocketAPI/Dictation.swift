import Authorization
import Foundation
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
    /// What is spoken, such as `en` or `en-US`; refused if no engine here recognises it. Absent, and `auto`: any language of the
    /// engine.
    public var language: String?
    /// Sends `level` events, ten a second.
    public var level: Bool?
    /// Sends `sound` events with the first 10 s that are heard. Only for VoiceGate's own command at a terminal, which plays
    /// them back and keeps nothing.
    public var sound: Bool?
    /// `false`: refuses at once instead of asking the user.
    public var ask: Bool?
    /// `true`: starts suspended; it does not listen before `resume`.
    public var suspended: Bool?
    /// `false`: nothing of this session is kept, whatever the user agreed to.
    public var keep: Bool?

    public init(
        device: String? = nil, waitForDevice: Bool? = nil, stopAfterSilence: Double? = nil, endSilence: Double? = nil,
        taskHint: TaskHint? = nil, contextPhrases: [String]? = nil, words: String? = nil, grammar: String? = nil,
        alternatives: Int? = nil, language: String? = nil, level: Bool? = nil, sound: Bool? = nil,
        ask: Bool? = nil, suspended: Bool? = nil, keep: Bool? = nil
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
        self.language = language
        self.level = level
        self.sound = sound
        self.ask = ask
        self.suspended = suspended
        self.keep = keep
    }
}

/// A line of a dictation's stream: `{"type":"partial","time":1.2,"text":"so far","stablePrefix":0,"stableText":""}`.
extension TimedDictationEvent: Codable {
    private enum Kind: String, Codable {
        case started, speechStarted, partial, final, level, sound, paused, resumed, overrun, ended, progress
    }

    private enum CodingKeys: String, CodingKey {
        case type, time, session, device, grants, at, text, stableText, start, end, words, decibels, samples, reason
        case lostFrames, message, seconds, duration
    }

    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let event: DictationEvent =
            switch try fields.known(.type) as Kind {
            case .started:
                .started(
                    session: try fields[.session], device: try fields.decodeIfPresent(String.self, forKey: .device),
                    grants: .init(named: try fields[.grants]))
            case .speechStarted: .speechStarted(at: try fields[.at])
            case .partial: .partial(try PartialTranscript(from: decoder))
            case .final: .final(try Transcript(from: decoder))
            case .level: .level(try fields[.decibels])
            case .sound: .sound(Frames.samples(of: [UInt8](try fields[.samples] as Data)))
            case .paused: .paused(reason: try fields[.reason])
            case .resumed: .resumed(reason: try fields[.reason])
            case .overrun: .overrun(lostFrames: try fields[.lostFrames])
            case .progress:
                .progress(
                    seconds: try fields[.seconds],
                    duration: try fields.decodeIfPresent(Double.self, forKey: .duration))
            case .ended:
                .ended(try fields[.reason], message: try fields.decodeIfPresent(String.self, forKey: .message))
            }
        self.init(time: try fields[.time], event: event)
    }

    public func encode(to encoder: any Encoder) throws {
        func milliseconds(_ seconds: Double) -> Double { (seconds * 1000).rounded() / 1000 }
        try encoder.encode([CodingKeys.time: milliseconds(time)])
        let fields: KeyValuePairs<CodingKeys, (any Encodable)?>
        switch event {
        case .started(let session, let device, let grants):
            fields = [.type: Kind.started, .session: session, .device: device, .grants: grants.named]
        case .speechStarted(let at): fields = [.type: Kind.speechStarted, .at: at]
        case .partial(let partial):
            fields = [.type: Kind.partial, .stableText: partial.stableText]
            try partial.encode(to: encoder)
        case .final(let transcript):
            fields = [.type: Kind.final]
            try transcript.encode(to: encoder)
        case .level(let decibels): fields = [.type: Kind.level, .decibels: decibels]
        case .sound(let samples): fields = [.type: Kind.sound, .samples: Data(Frames.bytes(of: samples))]
        case .paused(let reason): fields = [.type: Kind.paused, .reason: reason]
        case .resumed(let reason): fields = [.type: Kind.resumed, .reason: reason]
        case .overrun(let lostFrames): fields = [.type: Kind.overrun, .lostFrames: lostFrames]
        case .progress(let seconds, let duration):
            fields = [
                .type: Kind.progress, .seconds: milliseconds(seconds), .duration: duration.map(milliseconds),
            ]
        case .ended(let reason, let message):
            fields = [.type: Kind.ended, .reason: reason, .message: message]
        }
        try encoder.encode(fields)
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
