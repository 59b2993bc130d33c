import SocketAPI
import Synchronization

/// An enrolment's events on their way to its client. Bounded: progress that nobody read is replaced by the newest.
final class EnrolmentEvents: AsyncSequence, Sendable {
    typealias Element = EnrolmentEvent
    typealias AsyncIterator = AsyncStream<EnrolmentEvent>.Iterator

    /// A sentence, and what was heard of it, come at the pace of somebody who reads; more than all of them can be.
    private static let most = 4_096

    private let stream: AsyncStream<EnrolmentEvent>
    private let continuation: AsyncStream<EnrolmentEvent>.Continuation
    private let share = Mutex(-1.0)

    init() {
        (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.most))
    }

    func send(_ event: EnrolmentEvent) { continuation.yield(event) }

    /// Tells at most once for each hundredth.
    func learning(_ done: Double) {
        let isNew = share.withLock { share in
            guard done >= share + 0.01 || done == 1 else { return false }
            share = done
            return true
        }
        if isNew { send(.learning(share: done)) }
    }

    func finish() { continuation.finish() }

    func makeAsyncIterator() -> AsyncIterator { stream.makeAsyncIterator() }
}
