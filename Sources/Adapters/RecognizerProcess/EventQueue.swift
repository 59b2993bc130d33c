import Speech
import Synchronization

/// Events on their way to one reader. Not a plain `AsyncStream`, because what was not read yet must vanish at once when the
/// permission ends.
final class EventQueue: Sendable {
    private struct State {
        var events: [RecognitionEvent] = []
        var reader: CheckedContinuation<RecognitionEvent?, Never>?
        var isClosed = false
        var isCancelled = false
    }

    private let state = Mutex(State())

    func put(_ event: RecognitionEvent) {
        deliver { state in
            guard !state.isClosed else { return }
            state.events.append(event)
        }
    }

    /// After the event, if there is one, the reader sees the end. Later calls do nothing.
    func close(_ last: RecognitionEvent?) {
        deliver { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            if let last { state.events.append(last) }
        }
    }

    /// Drops what was not read, also when the queue is closed already; the reader sees this event and then the end.
    /// A reader that has seen the end sees nothing more.
    func replace(_ last: RecognitionEvent?) {
        deliver { state in
            if state.isClosed && state.events.isEmpty { return }
            state.isClosed = true
            state.events = last.map { [$0] } ?? []
        }
    }

    func next() async -> RecognitionEvent? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                deliver { state in
                    if let other = state.reader { other.resume(returning: nil) }
                    state.reader = continuation
                }
            }
        } onCancel: {
            deliver { $0.isCancelled = true }
        }
    }

    private func deliver(_ change: @Sendable (inout State) -> Void) {
        state.withLock { state in
            change(&state)
            guard let reader = state.reader else { return }
            if state.isCancelled {
                state.reader = nil
                reader.resume(returning: nil)
            } else if !state.events.isEmpty {
                state.reader = nil
                reader.resume(returning: state.events.removeFirst())
            } else if state.isClosed {
                state.reader = nil
                reader.resume(returning: nil)
            }
        }
    }
}
