// Written by Sources/Client/generate-swift from openapi.json.
import Foundation

/// What a program can be allowed to use. The user decides about each separately.
public enum Resource: String, Sendable, Codable, Hashable, CaseIterable {
    /// Turning speech into text (`SFSpeechRecognizer`).
    case speechRecognition
    /// Capturing audio (`AVAudioApplication`).
    case microphone
}

/// A program's permission for a resource, in the terms of `SFSpeechRecognizerAuthorizationStatus`.
public enum AuthorizationStatus: String, Sendable, Codable, Hashable, CaseIterable {
    /// The user has not been asked, or chose to be asked next time. The next request asks.
    case notDetermined
    /// The administrator's policy forbids it, or the user muted every program.
    case restricted
    /// The user denied it. Also any status that this version does not know.
    case denied
    /// The user allowed it.
    case authorized
}

/// How far a permission reaches.
public struct Scope: Word {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// One use by the process that asked. Only the user chooses it.
    public static let once = Scope(rawValue: "once")
    /// While the program is in use.
    public static let whileInUse = Scope(rawValue: "whileInUse")
    /// Also when the user is not using the program.
    public static let always = Scope(rawValue: "always")
}

/// How much of the recognised speech a program receives (`CLAccuracyAuthorization`, for speech).
public struct Fidelity: Word {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// All words.
    public static let full = Fidelity(rawValue: "full")
    /// Only the phrases of the program's manifest.
    public static let reduced = Fidelity(rawValue: "reduced")
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

/// A command to a running session.
public enum SessionControl: String, Sendable, Codable, Hashable, CaseIterable {
    /// Stops listening; the audio is decoded to its end.
    case end
    /// Stops listening; the audio is dropped.
    case cancel
    /// Drops audio from now on.
    case suspend
    /// Listens again after `suspend`.
    case resume
}

/// Why a session does not listen for a while. The service may have reasons that this version does not know.
public struct PauseReason: Word {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// By the program.
    public static let suspended = PauseReason(rawValue: "suspended")
    /// The capture device was lost and may return.
    public static let deviceLost = PauseReason(rawValue: "deviceLost")
    /// The program is in the background, where it may not listen; audio is dropped meanwhile.
    public static let background = PauseReason(rawValue: "background")
    /// The user's screen is locked; the device is closed meanwhile.
    public static let locked = PauseReason(rawValue: "locked")
    /// Another session is on the screen; the device is closed meanwhile.
    public static let switched = PauseReason(rawValue: "switched")
    /// The machine sleeps; the device is closed meanwhile.
    public static let asleep = PauseReason(rawValue: "asleep")
}

/// Why a session ended. The service may have reasons that this version does not know.
public struct DictationEnding: Word {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// By the program; the audio was decoded to its end.
    public static let ended = DictationEnding(rawValue: "ended")
    /// By the program; the audio was dropped.
    public static let cancelled = DictationEnding(rawValue: "cancelled")
    /// No speech for the requested time, after speech had begun.
    public static let silence = DictationEnding(rawValue: "silence")
    /// The user withdrew a permission.
    public static let revoked = DictationEnding(rawValue: "revoked")
    /// A policy came into force.
    public static let restricted = DictationEnding(rawValue: "restricted")
    /// The user muted all programs.
    public static let muted = DictationEnding(rawValue: "muted")
    /// The program of a one-time permission stayed in the background.
    public static let background = DictationEnding(rawValue: "background")
    /// The screen was locked, and the program may listen only in the foreground.
    public static let locked = DictationEnding(rawValue: "locked")
    /// Another session came onto the screen, and the program may listen only in the foreground.
    public static let switched = DictationEnding(rawValue: "switched")
    /// The machine went to sleep, and the program may listen only in the foreground.
    public static let asleep = DictationEnding(rawValue: "asleep")
    /// The capture device was lost.
    public static let deviceLost = DictationEnding(rawValue: "deviceLost")
    /// The recogniser or the device failed; see the event's message.
    public static let failed = DictationEnding(rawValue: "failed")
    /// A sound file is cut off or damaged, or more follows that cannot be read; see the event's message. What could
    /// be read was transcribed.
    public static let incomplete = DictationEnding(rawValue: "incomplete")
    /// The program's connection closed, or its process ended.
    public static let disconnected = DictationEnding(rawValue: "disconnected")
    /// The program let the service wait too long: for the rest of its file, or by not reading its events.
    public static let clientStalled = DictationEnding(rawValue: "clientStalled")
    /// The service did not read the program's file in time.
    public static let serviceStalled = DictationEnding(rawValue: "serviceStalled")
    /// The service is stopping.
    public static let serviceStopped = DictationEnding(rawValue: "serviceStopped")
}

/// What a monitor waits for.
public struct MonitorKind: Word {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Any sound.
    public static let soundBegan = MonitorKind(rawValue: "soundBegan")
    /// A phrase.
    public static let keyPhrase = MonitorKind(rawValue: "keyPhrase")
}

/// What a monitor does when it is triggered.
public struct MonitorAction: Word {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Sends the event to the program if it runs, and starts it if it does not.
    public static let start = MonitorAction(rawValue: "start")
    /// Notifies the user, who may start the program. Only the user registers it (`voicegate monitor add --notify`),
    /// and a program sees nothing of it.
    public static let notify = MonitorAction(rawValue: "notify")
}
