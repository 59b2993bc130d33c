import Authorization
import Synchronization

/// Events on their way to one reader. Unlike those in an `AsyncStream`'s buffer, events that were not read yet are dropped
/// when a permission ends.
public final class EventQueue<Event: Sendable>: Sendable {
    private struct State {
        var events: [Event] = []
        var reader: CheckedContinuation<Event?, Never>?
        var isClosed = false
        var isCancelled = false
    }

    private let state = Mutex(State())
    private let lease: Lease?
    private let survives: @Sendable (Event) -> Bool

    /// - Parameters:
    ///   - lease: asked at each delivery; after its end only events that survive it are delivered.
    ///   - survives: whether an event is delivered after the lease's end.
    public init(lease: Lease? = nil, survives: @escaping @Sendable (Event) -> Bool = { _ in false }) {
        self.lease = lease
        self.survives = survives
    }

    public func append(_ event: Event) { change { $0.append(event) } }

    /// Changes the events that were not read yet. Has no effect once the queue is closed.
    public func change(_ body: @Sendable (inout [Event]) -> Void) {
        deliver { if !$0.isClosed { body(&$0.events) } }
    }

    /// After the event, if there is one, the reader sees the end. Only the first call has an effect.
    ///
    /// - Parameter droppingUnread: whether the events before it are dropped.
    public func close(_ last: Event?, droppingUnread: Bool = false) {
        deliver { state in
            guard !state.isClosed else { return }
            state.isClosed = true
            if droppingUnread { state.events = [] }
            if let last { state.events.append(last) }
        }
    }

    /// Closes the queue and drops unread events, also if it was closed already; the reader sees this event and then the end.
    /// A reader that has seen the end sees nothing more.
    public func replace(_ last: Event?) {
        deliver { state in
            if state.isClosed && state.events.isEmpty { return }
            state.isClosed = true
            state.events = last.map { [$0] } ?? []
        }
    }

    /// - Returns: `nil` at the end. For one reader at a time; a second one gets `nil`.
    public func next() async -> Event? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                deliver { state in
                    if state.reader == nil { state.reader = continuation } else { continuation.resume(returning: nil) }
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
            if let lease, !lease.isLive { state.events.removeAll { !survives($0) } }
            if state.isCancelled || state.isClosed && state.events.isEmpty {
                state.reader = nil
                reader.resume(returning: nil)
            } else if !state.events.isEmpty {
                state.reader = nil
                reader.resume(returning: state.events.removeFirst())
            }
        }
    }
}
