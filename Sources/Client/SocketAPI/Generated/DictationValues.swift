// Written by Sources/Client/generate-swift from openapi.json.
import Authorization
import Foundation
import Speech

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
    /// Sends `sound` events, for 10 s. Only for VoiceGate's own command at a terminal, which plays them back; others
    /// are refused.
    public var sound: Bool?
    /// `true`: it does not listen before `resume`.
    public var suspended: Bool?
    /// `false`: refuses at once instead of asking the user.
    public var ask: Bool?
    /// What is spoken, such as `en` or `en-US`; refused if no engine here recognises it. Absent, and `auto`: any
    /// language of the engine.
    public var language: String?
    /// `false`: nothing of this session is kept, whatever the user agreed to.
    public var keep: Bool?

    public init(
        device: String? = nil, waitForDevice: Bool? = nil, stopAfterSilence: Double? = nil, endSilence: Double? = nil,
        taskHint: TaskHint? = nil, contextPhrases: [String]? = nil, words: String? = nil, grammar: String? = nil,
        alternatives: Int? = nil, level: Bool? = nil, sound: Bool? = nil, suspended: Bool? = nil, ask: Bool? = nil,
        language: String? = nil, keep: Bool? = nil
    ) {
        (self.device, self.waitForDevice, self.stopAfterSilence) = (device, waitForDevice, stopAfterSilence)
        (self.endSilence, self.taskHint, self.contextPhrases) = (endSilence, taskHint, contextPhrases)
        (self.words, self.grammar, self.alternatives, self.level) = (words, grammar, alternatives, level)
        (self.sound, self.suspended, self.ask, self.language, self.keep) = (sound, suspended, ask, language, keep)
    }
}

/// What is known about the words of a sound file. Every field may be absent.
public struct TranscriptionRequest: Sendable, Hashable, Codable {
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

    public init(
        taskHint: TaskHint? = nil, contextPhrases: [String]? = nil, words: String? = nil, grammar: String? = nil,
        alternatives: Int? = nil
    ) {
        (self.taskHint, self.contextPhrases, self.words, self.grammar) = (taskHint, contextPhrases, words, grammar)
        self.alternatives = alternatives
    }
}

/// `POST /v1/audio/transcriptions` with a sound file as the body.  With `Accept: application/x-ndjson` the answer is
/// a stream of `TimedDictationEvent` instead, with each utterance once it is decoded.
public struct TranscriptionReply: Sendable, Hashable, Codable {
    public var text: String
    public var segments: [Transcript]
}

/// `GET /v1/dictation`: the caller's running dictations, newest first.
public struct DictationsReply: Sendable, Hashable, Codable {
    /// A running dictation of this program.
    public struct Session: Sendable, Hashable, Codable {
        /// The session's identifier.
        public var session: String
        /// The bundle identifier of its client.
        public var client: String
        /// ALSA's PCM name.
        public var device: String
        /// When it began.
        public var startedAt: Date
        /// Why it does not listen now; empty if it listens.
        public var paused: [PauseReason]
        /// It is ending: the device is closed or about to be, and its last words are being decoded.
        public var isEnding: Bool

        public init(
            session: String, client: String, device: String, startedAt: Date, paused: [PauseReason] = [],
            isEnding: Bool = false
        ) {
            (self.session, self.client, self.device, self.startedAt) = (session, client, device, startedAt)
            (self.paused, self.isEnding) = (paused, isEnding)
        }
    }

    public var sessions: [Session]

    public init(sessions: [Session]) { self.sessions = sessions }
}

/// What listens or transcribes now, or did until a moment ago.
public struct IndicatorReply: Sendable, Hashable, Codable {
    /// One use of the microphone or the recogniser.
    public struct Session: Sendable, Hashable, Codable {
        /// The session's identifier.
        public var session: String
        /// The bundle identifier of its client.
        public var client: String
        /// Safe to show on one line.
        public var name: String
        public var resources: [Resource] = [.speechRecognition, .microphone]
        /// Absent for a file.
        public var device: String?
        /// Of the client.
        public var processIdentifier: Int32
        /// Whether the client is in the foreground now.
        public var presence: Presence = .foreground
        /// Whether it does not listen now; `GET /v1/dictation` has the reasons.
        public var paused: Bool = false
        public var phase: IndicatorPhase = .now
        /// When it began.
        public var startedAt: Date
        /// When it ended; absent while it runs.
        public var endedAt: Date?
        /// Whether what is heard can leave the machine, as found at the start.
        public var sharing: Sharing?
        /// The session is over, but its device does not close; nothing is read from it. Absent if that is not so.
        public var held: Bool?
        /// VoiceGate itself listens for these phrases for a monitor, and its client gets nothing else.
        public var phrases: [String]?
        /// What recognises its speech, with its version, or the address of an engine outside of the service. Absent
        /// before the session starts, if nothing is recognised, and if it is unknown.
        public var recognizer: String?
    }

    /// First the running sessions, then those that ended less than 15 seconds ago.
    public var sessions: [Session]
    /// Whether everything is muted.
    public var muted: Bool
    /// Absent if nothing is muted.
    public var mutedBy: MutedBy?

    public init(sessions: [Session], muted: Bool = false, mutedBy: MutedBy? = nil) {
        (self.sessions, self.muted, self.mutedBy) = (sessions, muted, mutedBy)
    }
}

/// `GET /v1/devices`
public struct DevicesReply: Sendable, Hashable, Codable {
    public var devices: [CaptureDevice]

    public init(devices: [CaptureDevice]) { self.devices = devices }
}

/// A kept item.
public struct HistoryEntry: Sendable, Hashable, Codable {
    /// UUID.
    public var item: String
    /// UUID of its session; the records have it too.
    public var session: String
    public var client: String
    /// The client's name; its identifier if it no longer has a manifest.
    public var name: String
    public var kind: DataKind
    /// When it was complete.
    public var date: Date
    /// When it is erased; absent: when the permission is withdrawn.
    public var until: Date?
    /// Of the data itself.
    public var bytes: Int64
    /// Of a transcript, if texts were requested.
    public var text: String?
    /// Why it cannot be read.
    public var problem: String?

    public init(
        item: String, session: String, client: String, name: String, kind: DataKind, date: Date, until: Date? = nil,
        bytes: Int64, text: String? = nil, problem: String? = nil
    ) {
        (self.item, self.session, self.client, self.name, self.kind) = (item, session, client, name, kind)
        (self.date, self.until, self.bytes, self.text, self.problem) = (date, until, bytes, text, problem)
    }
}

/// A line of a kept transcript.
public struct KeptUtterance: Sendable, Hashable, Codable {
    public var text: String
    /// Seconds since the session's first frame.
    public var start: Double
    /// Seconds since the session's first frame.
    public var end: Double

    public init(text: String, start: Double, end: Double) { (self.text, self.start, self.end) = (text, start, end) }
}

/// `GET /v1/history/keeping`: what each client declares that VoiceGate keeps, and what of it the user agreed to.
public struct KeepingReply: Sendable, Hashable, Codable {
    public struct Client: Sendable, Hashable, Codable {
        public var client: String
        public var name: String
        /// By kind, as its manifest declares now.
        public var declared: [String: KeepingTime]
        /// By kind, what is kept under the present grant.
        public var agreed: [String: KeepingTime]

        public init(client: String, name: String, declared: [String: KeepingTime], agreed: [String: KeepingTime]) {
            (self.client, self.name, self.declared, self.agreed) = (client, name, declared, agreed)
        }
    }

    public var clients: [Client]

    public init(clients: [Client]) { self.clients = clients }
}

/// How many items were erased.
public struct ErasureReply: Sendable, Hashable, Codable {
    /// The number of items.
    public var erased: Int

    public init(erased: Int) { self.erased = erased }
}
