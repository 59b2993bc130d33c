import Authorization
import Retention
import SocketAPI
import Speech
import Synchronization

/// An enrolment in a running session: reports the next sentence, and collects the sound of each that was read.
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
    /// Called when there is nothing more to read.
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
                sendNext(state)
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
            let reported: EnrolmentEvent.HeardOutcome
            switch state.reader.take(transcript) {
            case .more: return false
            case .again: reported = .again
            case .skipped: reported = .skipped
            case .read(let start, let end):
                reported = .read
                state.clips.append(EnrolmentClip(text: text, sound: .samples(sound.take(from: start, to: end))))
            }
            events.send(.heard(number: number, text: state.text, outcome: reported))
            state.text = ""
            sendNext(state)
            return state.reader.isOver
        }
        if isOver { onEnd() }
    }

    private func sendNext(_ state: borrowing State) {
        guard !state.reader.isOver else { return }
        events.send(
            .sentence(number: state.reader.current + 1, text: state.reader.sentences[state.reader.current]))
    }
}

/// Keeps what is read aloud in memory until it has been learnt from, and the item of the future profile. A session uses it
/// only if a kept profile was declared and allowed.
final class EnrolmentSound: Keeper, SessionKeeping {
    private struct State {
        var keeping: (session: SessionDescription, time: KeepingTime)?
        var pieces: [Frames] = []
        var writer: Result<ItemWriter, any Error>?
    }

    /// Samples that wait for `take`: two of the longest recordings.
    private static let longestWait = Int64(2 * EnrolmentClip.Bounds.longestClip * 16_000)
    /// Seconds before and after the recognised words: words end quietly.
    private static let margin = 0.15

    private let items: ItemStore
    private let state = Mutex(State())

    init(items: ItemStore) { self.items = items }

    var kinds: Set<DataKind> { [.voiceProfile] }

    func begin(_ session: SessionDescription, keeping times: KeepingTimes) -> any SessionKeeping {
        state.withLock { state in state.keeping = times[.voiceProfile].map { (session, $0) } }
        return self
    }

    /// Whether the profile may be kept; known when the session has started.
    var isPermitted: Bool { state.withLock { $0.keeping != nil } }

    /// The sound between two times of the session, in seconds; drops what ends before `end`.
    func take(from start: Double, to end: Double) -> [Int16] {
        let first = Int64(max(0, start - Self.margin) * 16_000)
        let last = Int64((end + Self.margin) * 16_000)
        return state.withLock { state in
            let samples = state.pieces.flatMap { piece -> ArraySlice<Int16> in
                let lower = max(0, first - piece.position)
                let upper = min(Int64(piece.samples.count), last - piece.position)
                return lower < upper ? piece.samples[Int(lower)..<Int(upper)] : []
            }
            state.pieces.removeAll { $0.position + Int64($0.samples.count) <= Int64(end * 16_000) }
            return samples
        }
    }

    /// The item of the profile; `nil` if the session ended so that nothing is kept. It was begun while the session had its
    /// permission, so that withdrawing the permission erases it.
    func writer() throws -> ItemWriter? { try state.withLock { $0.writer }?.get() }

    func heard(_ frames: Frames) {
        state.withLock { state in
            state.pieces.append(frames)
            state.pieces.removeAll { $0.position + Self.longestWait < frames.position }
        }
    }

    func recognised(_ transcript: Transcript) {}

    func end(isKept: Bool) async {
        let keeping = state.withLock { state in
            state.pieces = []
            return state.keeping
        }
        guard isKept, let keeping else { return }
        let writer: Result<ItemWriter, any Error>
        do {
            writer = .success(try await items.begin(.voiceProfile, of: keeping.session, for: keeping.time))
        } catch {
            writer = .failure(error)
            await items.recordUnkept(.voiceProfile, of: keeping.session, "\(error)")
        }
        state.withLock { $0.writer = writer }
    }
}
