import Authorization
import Dictation
import Foundation

/// What the person sees of a dictation, event by event.
struct DictationDisplay: Sendable {
    enum Action: Sendable, Hashable {
        /// A line of the result.
        case text(String)
        /// The line that is drawn again in place.
        case live(String)
        case note(String)
        case warning(String)
    }

    let client: String
    let showsPartial: Bool
    let showsLevel: Bool
    private var device = "the microphone"
    private var partial = ""
    private var bar = ""
    private var pauses: Set<PauseReason> = []

    init(client: String, showsPartial: Bool, showsLevel: Bool) {
        self.client = client
        self.showsPartial = showsPartial
        self.showsLevel = showsLevel
    }

    mutating func actions(for event: DictationEvent) -> [Action] {
        switch event {
        case .started(_, let device, _):
            self.device = device ?? self.device
            return [.note("Listening on \(self.device). Ctrl-C ends.")]
        case .speechStarted:
            return []
        case .partial(let transcript):
            guard showsPartial else { return [] }
            partial = transcript.text
            return [live]
        case .final(let transcript):
            partial = ""
            return transcript.text.isEmpty ? [live] : [live, .text(transcript.text)]
        case .level(let decibels):
            bar = showsLevel ? LevelBar.text(decibels) : ""
            return [live]
        case .paused(let reason):
            pauses.insert(reason)
            bar = ""
            return [live, pause(reason)]
        case .resumed(let reason):
            pauses.remove(reason)
            return [pauses.min { $0.rawValue < $1.rawValue }.map(pause) ?? .note("Listening again on \(device).")]
        case .overrun(let lostFrames):
            let milliseconds = lostFrames / 16
            return [.warning("\(milliseconds) ms of sound were lost, because this machine was too busy.")]
        case .ended(let ending, let message):
            partial = ""
            bar = ""
            return [live] + (sentence(ending, message).map { [$0] } ?? [])
        }
    }

    private func pause(_ reason: PauseReason) -> Action {
        switch reason {
        case .suspended: .note("Not listening for now.")
        case .deviceLost: .warning("\(device) went away. Waiting until it is back; Ctrl-C ends.")
        case .background: .note("Not listening in the background; what is said is dropped. fg brings it back.")
        }
    }

    private var live: Action {
        .live([bar, partial].filter { !$0.isEmpty }.joined(separator: " "))
    }

    private func sentence(_ ending: DictationEnding, _ message: String?) -> Action? {
        switch ending {
        case .ended:
            message.map(Action.warning)
        case .silence:
            .note("Nobody spoke any more, so it ended.")
        case .cancelled:
            .note("Cancelled. What was heard last was thrown away.")
        case .revoked:
            .warning(
                "The permission was taken back, so nothing is heard any more. "
                    + "To allow it again: voicegate settings \(client) --allow \(Resource.microphone.rawValue)")
        case .restricted:
            .warning("A policy of this machine's administrator forbids it now, so nothing is heard any more.")
        case .muted:
            .warning("Everything was muted, so nothing is heard any more. To end that: voicegate unmute")
        case .background:
            .warning("It was allowed once and left the foreground, so it ended. Start it again to be asked again.")
        case .deviceLost:
            .warning(
                "\(message ?? "\(device) went away.") Connect it and start again; with --wait-for-device it waits.")
        case .failed:
            .warning(message ?? "The recogniser or \(device) failed. See the service's log, then try again.")
        case .disconnected:
            .warning("The service lost the connection. Try again.")
        case .serviceStopped:
            .warning(message ?? "The service is being stopped.")
        }
    }
}
