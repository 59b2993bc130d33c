import Speech

/// `POST /v1/dictation`; every field may be absent. Answered with a stream of `TimedDictationEvent`, one a line.
public struct DictationRequest: Sendable, Hashable, Codable {
    /// ALSA's PCM name; absent: the configured one, else `default`.
    public var device: String?
    /// Waits for a device that goes away, instead of ending with `deviceLost`.
    public var waitForDevice: Bool?
    /// Seconds, more than 0: ends the session when nobody has spoken for so long, once speech has begun.
    public var stopAfterSilence: Double?
    /// Seconds, 0.2 to 5: the pause that ends an utterance.
    public var endSilence: Double?
    /// `dictation`, `search` or `command`: how long a pause ends an utterance, where `endSilence` does not say it.
    public var taskHint: TaskHint?
    /// Phrases that are likely to be said: at most 500 of at most 200 characters.
    public var contextPhrases: [String]?
    /// The person's own writing, at most 512 KiB: its words and how they follow each other are recognised better.
    public var words: String?
    /// JSGF, at most 64 KiB: only what it allows is recognised.
    public var grammar: String?
    /// 0 to 10: further readings of each utterance.
    public var alternatives: Int?
    /// Sends `level` events, ten a second.
    public var level: Bool?
    /// `false`: refuses at once where the person would have to be asked.
    public var ask: Bool?
    /// `true`: begins suspended; nothing is heard before `resume`.
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
