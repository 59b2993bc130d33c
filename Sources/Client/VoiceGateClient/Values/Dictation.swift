import VoiceGateWire

/// What to listen for, and until when. Every field may be absent.
public struct DictationRequest: Sendable, Hashable, Encodable {
    /// ALSA's PCM name; absent: the configured one, else `default`.
    public var device: String?
    /// Waits for a device that is lost, instead of ending with `deviceLost`.
    public var waitForDevice: Bool?
    /// Seconds, more than 0: ends the session after this much silence, once speech has begun.
    public var stopAfterSilence: Double?
    /// Seconds, 0.2 to 5: the pause that ends an utterance.
    public var endSilence: Double?
    /// The kind of speech, which decides the pause that ends an utterance, without `endSilence`.
    public var taskHint: TaskHint?
    /// Likely phrases: at most 500 of at most 200 characters.
    public var contextPhrases: [String]?
    /// The user's own writing, at most 512 KiB: its words and sequences of words are recognised better.
    public var words: String?
    /// JSGF, at most 64 KiB: only what it allows is recognised.
    public var grammar: String?
    /// 0 to 10: the number of alternative texts of each utterance.
    public var alternatives: Int?
    /// What is spoken, such as `en` or `en-US`; refused if no engine of the service recognises it. Absent: any language of the
    /// engine.
    public var language: String?
    /// Sends `level` events, ten a second.
    public var level: Bool?
    /// `false`: refuses at once instead of asking the user.
    public var ask: Bool?
    /// `true`: starts suspended; it does not listen before `resume`.
    public var suspended: Bool?
    /// `false`: keeps nothing, whatever the manifest declares and the user's configuration says.
    public var keep: Bool?

    /// A request; what is `nil` is left to the service.
    ///
    /// - Parameters:
    ///   - device: ALSA's PCM name.
    ///   - waitForDevice: whether to wait for a device that is lost.
    ///   - stopAfterSilence: seconds of silence that end the session.
    ///   - endSilence: seconds of silence that end an utterance.
    ///   - taskHint: the kind of speech.
    ///   - contextPhrases: likely phrases.
    ///   - words: the user's own writing.
    ///   - grammar: JSGF.
    ///   - alternatives: how many alternative texts.
    ///   - language: what is spoken.
    ///   - level: whether to send `level` events.
    ///   - ask: whether the user may be asked.
    ///   - suspended: whether it starts suspended.
    ///   - keep: whether what the manifest declares may be kept.
    public init(
        device: String? = nil, waitForDevice: Bool? = nil, stopAfterSilence: Double? = nil, endSilence: Double? = nil,
        taskHint: TaskHint? = nil, contextPhrases: [String]? = nil, words: String? = nil, grammar: String? = nil,
        alternatives: Int? = nil, language: String? = nil, level: Bool? = nil, ask: Bool? = nil,
        suspended: Bool? = nil, keep: Bool? = nil
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
        self.ask = ask
        self.suspended = suspended
        self.keep = keep
    }
}

/// The kind of speech.
public struct TaskHint: Word {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Sentences, with pauses to think.
    public static let dictation = TaskHint(rawValue: "dictation")
    /// A few words.
    public static let search = TaskHint(rawValue: "search")
    /// One of a few short commands.
    public static let command = TaskHint(rawValue: "command")
}

/// What is known about the words of a sound file. Every field may be absent; as in `DictationRequest`.
public struct TranscriptionHints: Sendable, Hashable, Encodable {
    static let mediaType = "application/x-voicegate-transcription"

    /// The kind of speech.
    public var taskHint: TaskHint?
    /// Likely phrases.
    public var contextPhrases: [String]?
    /// The user's own writing.
    public var words: String?
    /// JSGF: only what it allows is recognised.
    public var grammar: String?
    /// The number of alternative texts of each utterance.
    public var alternatives: Int?

    /// Hints; what is `nil` is left to the service.
    ///
    /// - Parameters:
    ///   - taskHint: the kind of speech.
    ///   - contextPhrases: likely phrases.
    ///   - words: the user's own writing.
    ///   - grammar: JSGF.
    ///   - alternatives: how many alternative texts.
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
}

/// A command to a running session.
public enum SessionControl: String, Sendable, Hashable, CaseIterable {
    /// Stops listening; the audio is decoded to its end.
    case end
    /// Stops listening; the audio is dropped.
    case cancel
    /// Drops audio from now on.
    case suspend
    /// Listens again after `suspend`.
    case resume
}

/// A running dictation of this program.
public struct RunningDictation: Sendable, Hashable, Decodable {
    /// The session's identifier.
    public var session: String
    /// ALSA's PCM name.
    public var device: String
    /// Why it does not listen now; empty if it listens.
    public var paused: [PauseReason]
    /// Whether its last words are being decoded.
    public var isEnding: Bool
}
