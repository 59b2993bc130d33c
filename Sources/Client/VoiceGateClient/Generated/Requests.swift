// Written by Sources/Client/generate-swift from openapi.json.
import Foundation

/// What to listen for, and until when. Every field may be absent.
public struct DictationRequest: Sendable, Hashable, Codable {
    /// ALSA's PCM name.
    public var device: String?
    /// Waits for a device that is lost.
    public var waitForDevice: Bool?
    /// Seconds: ends the session after this much silence, once speech has begun.
    public var stopAfterSilence: Double?
    /// Seconds: the pause that ends an utterance.
    public var endSilence: Double?
    /// The length of the pause that ends an utterance.
    public var taskHint: TaskHint?
    /// Likely phrases.
    public var contextPhrases: [String]?
    /// The user's own writing, at most 512 KiB of UTF-8.
    public var words: String?
    /// JSGF, at most 64 KiB of UTF-8: only what it allows is recognised.
    public var grammar: String?
    /// The number of alternative texts of each utterance.
    public var alternatives: Int?
    /// Sends `level` events.
    public var level: Bool?
    /// `true`: it does not listen before `resume`.
    public var suspended: Bool?
    /// `false`: refuses at once instead of asking the user.
    public var ask: Bool?
    /// What is spoken, such as `en` or `en-US`; refused if no engine here recognises it. Absent, and `auto`: any
    /// language of the engine.
    public var language: String?
    /// `false`: nothing of this session is kept, whatever the user agreed to.
    public var keep: Bool?

    /// A request; what is `nil` is left to the service.
    public init(
        device: String? = nil, waitForDevice: Bool? = nil, stopAfterSilence: Double? = nil, endSilence: Double? = nil,
        taskHint: TaskHint? = nil, contextPhrases: [String]? = nil, words: String? = nil, grammar: String? = nil,
        alternatives: Int? = nil, level: Bool? = nil, suspended: Bool? = nil, ask: Bool? = nil,
        language: String? = nil, keep: Bool? = nil
    ) {
        (self.device, self.waitForDevice, self.stopAfterSilence) = (device, waitForDevice, stopAfterSilence)
        (self.endSilence, self.taskHint, self.contextPhrases) = (endSilence, taskHint, contextPhrases)
        (self.words, self.grammar, self.alternatives, self.level) = (words, grammar, alternatives, level)
        (self.suspended, self.ask, self.language, self.keep) = (suspended, ask, language, keep)
    }
}

/// What is known about the words of a sound file. Every field may be absent.
public struct TranscriptionHints: Sendable, Hashable, Codable {
    /// The length of the pause that ends an utterance.
    public var taskHint: TaskHint?
    /// Likely phrases.
    public var contextPhrases: [String]?
    /// The user's own writing, at most 512 KiB of UTF-8.
    public var words: String?
    /// JSGF, at most 64 KiB of UTF-8: only what it allows is recognised.
    public var grammar: String?
    /// The number of alternative texts of each utterance.
    public var alternatives: Int?

    /// A request; what is `nil` is left to the service.
    public init(
        taskHint: TaskHint? = nil, contextPhrases: [String]? = nil, words: String? = nil, grammar: String? = nil,
        alternatives: Int? = nil
    ) {
        (self.taskHint, self.contextPhrases, self.words, self.grammar) = (taskHint, contextPhrases, words, grammar)
        self.alternatives = alternatives
    }
}

/// Registers a monitor: the service listens for the client, and reports what it heard.
public struct MonitorRequest: Sendable, Hashable, Codable {
    /// What a monitor waits for.
    public var kind: MonitorKind
    /// Of a `keyPhrase`.
    public var phrase: String?
    /// What happens then.
    public var action: MonitorAction
    /// `false`: for one time only.
    public var repeats: Bool?

    /// A request; what is `nil` is left to the service.
    public init(_ kind: MonitorKind, phrase: String? = nil, action: MonitorAction, repeats: Bool? = nil) {
        (self.kind, self.phrase, self.action, self.repeats) = (kind, phrase, action, repeats)
    }
}
