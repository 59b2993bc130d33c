import SocketAPI
import Speech
import Synchronization

/// What somebody reads aloud in a running session: tells which sentence is next, and collects the sound of each.
final class EnrolmentListening: Sendable {
    private struct State {
        var reader: EnrolmentReader
        var clips: [EnrolmentClip] = []
        var text = ""
        var ending: (DictationEnding, String?)?
    }

    private let state: Mutex<State>
    private let sound: EnrolmentSound
    private let events: EnrolmentEvents
    /// Is called when there is nothing more to read.
    private let onEnd: @Sendable () -> Void

    init(
        _ sentences: [String], sound: EnrolmentSound, events: EnrolmentEvents, onEnd: @escaping @Sendable () -> Void
    ) {
        state = Mutex(State(reader: EnrolmentReader(sentences)))
        self.sound = sound
        self.events = events
        self.onEnd = onEnd
    }

    var clips: [EnrolmentClip] { state.withLock { $0.clips } }
    var ending: (DictationEnding, String?) { state.withLock { $0.ending } ?? (.failed, nil) }

    func take(_ event: TimedDictationEvent) {
        switch event.event {
        case .started(let session, _, _):
            state.withLock { state in
                events.send(.started(session: session, sentences: state.reader.sentences.count))
                tellNext(state)
            }
        case .final(let transcript): heard(transcript)
        case .ended(let ending, let message): state.withLock { $0.ending = (ending, message) }
        default: break
        }
        let longest = EnrolmentClip.Bounds.longestTotal
        if event.time > 2 * longest || seconds > longest - EnrolmentClip.Bounds.longestClip { onEnd() }
    }

    private var seconds: Double {
        Double(state.withLock { $0.clips.reduce(0) { $0 + $1.sound.byteCount } }) / 32_000
    }

    private func heard(_ transcript: Transcript) {
        let isOver = state.withLock { state in
            guard !state.reader.isOver else { return false }
            let number = state.reader.current + 1
            let text = state.reader.sentences[state.reader.current]
            state.text += (state.text.isEmpty ? "" : " ") + transcript.text
            let outcome = state.reader.take(transcript)
            let told: EnrolmentEvent.HeardOutcome
            switch outcome {
            case .more: return false
            case .again: told = .again
            case .skipped: told = .skipped
            case .read(let start, let end):
                told = .read
                state.clips.append(EnrolmentClip(text: text, sound: .samples(sound.take(from: start, to: end))))
            }
            events.send(.heard(number: number, text: state.text, outcome: told))
            state.text = ""
            tellNext(state)
            return state.reader.isOver
        }
        if isOver { onEnd() }
    }

    private func tellNext(_ state: borrowing State) {
        guard !state.reader.isOver else { return }
        events.send(
            .sentence(number: state.reader.current + 1, text: state.reader.sentences[state.reader.current]))
    }
}
