import Authorization
import Foundation
import SocketAPI
import Speech

/// What the user sees of each event of a dictation.
struct DictationDisplay: Sendable {
    enum Action: Sendable, Hashable {
        /// A line of the result.
        case text(String)
        /// The line that is redrawn in place.
        case live(String)
        case note(String)
        case warning(String)
    }

    let client: String
    let showsPartial: Bool
    let showsLevel: Bool
    /// Whether starting and stopping is not news, because the user does it with a key.
    var isPushToTalk = false
    var stopAfterSilence: Double?
    /// Whether only sentences of a grammar have a text.
    var hasGrammar = false
    var language = Language.english
    /// The one that ended the dictation, if that is known.
    var mute: MutedBy?
    /// Whether this program has the terminal now. After `fg` it reads what happened while it was stopped.
    var isInForeground: @Sendable () -> Bool = { false }
    private(set) var openDevice: String?
    private(set) var partial = ""
    private(set) var bar = ""
    private(set) var pauses: Set<PauseReason> = []
    private(set) var isNoisy = false

    private var wording: CommandWording { language.commandWording }
    private var device: String { openDevice ?? language.wording.resource(.microphone) }

    mutating func actions(for event: DictationEvent) -> [Action] {
        switch event {
        case .started(_, let device, _):
            openDevice = device ?? openDevice
            guard isPushToTalk else { return [.note(wording.listening(device: self.device))] }
            pauses.insert(.suspended)
            return [.note(wording.pushToTalk(device: self.device)), live]
        case .speechStarted, .sound: return []
        case .partial(let transcript):
            guard showsPartial else { return [] }
            partial = transcript.text
            return [live]
        case .final(let transcript):
            partial = ""
            guard !transcript.text.isEmpty else {
                return hasGrammar ? [live, .note(wording(.notInGrammar))] : [live] + noise(of: transcript)
            }
            return [live, .text(transcript.text)] + noise(of: transcript)
        case .level(let decibels):
            bar = showsLevel ? LevelBar.text(decibels) : ""
            return [live]
        case .paused(let reason):
            pauses.insert(reason)
            if showsLevel { bar = LevelBar.text(LevelBar.floor) }
            // After fg this is read late, and it listens again.
            let isOver = reason == .background && isInForeground()
            return isByKey(reason) || isOver ? [live] : [live, pause(reason)]
        case .resumed(let reason):
            pauses.remove(reason)
            if isByKey(reason) { return [live] }
            return [
                pauses.min { $0.rawValue < $1.rawValue }.map(pause) ?? .note(wording.listeningAgain(device: device))
            ]
        case .progress: return [live]
        case .overrun(let lostFrames, let cause):
            let milliseconds = Int(lostFrames / 16)
            guard milliseconds > 0 else { return [] }
            return [
                .warning(
                    cause == .suspended
                        ? wording.lostWhileSuspended(milliseconds: milliseconds)
                        : wording.lostSound(milliseconds: milliseconds))
            ]
        case .noSound(let decibels):
            return [.warning(wording.noSound(device: device, decibels: Int(decibels.rounded())))]
        case .ended(let ending, let message):
            let isFailure = [.failed, .serviceStalled, .serviceStopped].contains(ending)
            return actionsAtEnd(keepsWords: isFailure) + (sentence(ending, message).map { [$0] } ?? [])
        }
    }

    /// The session is over, also without `ended`.
    ///
    /// - Parameter keepsWords: whether the words on the screen, which will not become final, are a result.
    mutating func actionsAtEnd(keepsWords: Bool) -> [Action] {
        let words = partial
        (partial, bar, pauses) = ("", "", [])
        return [.live("")] + (words.isEmpty || !keepsWords ? [] : [.text(words), .note(wording(.unfinishedWords))])
    }

    /// A note where unreliable text begins; reliable text ends the noise.
    private mutating func noise(of transcript: Transcript) -> [Action] {
        guard let decibels = transcript.noisyDecibels else {
            if !transcript.text.isEmpty { isNoisy = false }
            return []
        }
        defer { isNoisy = true }
        return isNoisy ? [] : [.note(wording.tooNoisy(decibels: Int(decibels.rounded())))]
    }

    private func isByKey(_ reason: PauseReason) -> Bool { isPushToTalk && reason == .suspended }

    private func pause(_ reason: PauseReason) -> Action {
        switch reason {
        case .suspended: .note(wording(.notListening))
        case .deviceLost: .warning(wording.waiting(device: device))
        case .background: .note(wording(.pausedInBackground))
        case .locked, .switched, .asleep: .note(wording(.pausedInAbsence))
        }
    }

    private var live: Action {
        let mark = isPushToTalk ? pauses.isEmpty ? "●" : "○" : ""
        return .live([mark, bar, partial].filter { !$0.isEmpty }.joined(separator: " "))
    }

    private func sentence(_ ending: DictationEnding, _ message: String?) -> Action? {
        // A program without a manifest cannot be allowed in settings.
        let isRegistered = !client.hasPrefix("unregistered.")
        let text = wording.sentence(
            for: ending, on: device, reason: message,
            settings: "voicegate settings" + (isRegistered ? " \(client) --allow \(Resource.microphone.rawValue)" : ""),
            mute: mute, silence: stopAfterSilence)
        return text.map([.silence, .cancelled].contains(ending) ? Action.note : Action.warning)
    }
}

/// A sound level as a bar of fixed width, without spaces, which a terminal's line has one of at a time.
enum LevelBar {
    static let cells = 10
    /// dBFS of an empty bar: a quiet room.
    static let floor = -60.0

    static func text(_ decibels: Double) -> String {
        let share = min(max((decibels - floor) / -floor, 0), 1)
        let filled = Int((share * Double(cells)).rounded())
        return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: cells - filled) + "]"
    }
}
