import Dictation
import Synchronization

/// A session's events on their way to a client that may read slowly. The session never waits; a reader that falls
/// thousands of events behind counts as gone.
final class SessionEvents: Sendable {
    let stream: AsyncStream<TimedDictationEvent>
    private let continuation: AsyncStream<TimedDictationEvent>.Continuation
    private let overflow = Mutex<(@Sendable () -> Void)?>(nil)

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(8192))
    }

    func send(_ event: TimedDictationEvent) {
        if case .dropped = continuation.yield(event) { overflow.withLock { $0 }?() }
    }

    func finish() { continuation.finish() }

    func onOverflow(_ handler: @escaping @Sendable () -> Void) { overflow.withLock { $0 = handler } }
}
