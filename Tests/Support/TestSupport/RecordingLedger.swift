import Authorization
import Synchronization

/// A ledger in memory that keeps the events in order, and can be made to fail or to wait.
///
/// Replaces the consent log in tests that need a write to fail at a given time.
public final class RecordingLedger: Ledger {
    public struct Failure: Error {}

    private struct State {
        var stored: [DecisionKey: Decision] = [:]
        var events: [LedgerEvent] = []
        var failsAfter = Int.max
        var failure: any Error = Failure()
        var mutes = Mutes()
        var isMuteHidden = false
    }

    private let state = Mutex(State())
    private let waiting = Mutex<[(event: LedgerEvent, change: DecisionChange?, ticket: Ticket)]>([])
    private let beforeWrite = Mutex<(@Sendable (LedgerEvent) async -> Void)?>(nil)

    public init(decisions: [Decision] = []) {
        state.withLock { state in for decision in decisions { state.stored[decision.key] = decision } }
    }

    public var events: [LedgerEvent] { state.withLock { $0.events } }

    /// The names of the events' cases, in order.
    public var eventNames: [String] {
        events.map { event in
            let text = Mirror(reflecting: event).children.first?.label
            return text ?? "\(event)"
        }
    }

    /// Writes that have no outcome yet.
    public var waitingCount: Int { waiting.withLock { $0.count } }

    /// Every write from the `count`-th on fails.
    public func fail(after count: Int, with failure: (any Error)? = nil) {
        state.withLock { state in
            state.failsAfter = state.events.count + count
            state.failure = failure ?? Failure()
        }
    }

    public func recover() { state.withLock { $0.failsAfter = .max } }

    /// Runs before each write, which waits for it.
    public func onWrite(_ handler: @escaping @Sendable (LedgerEvent) async -> Void) {
        beforeWrite.withLock { $0 = handler }
    }

    public func decisions() async throws -> [Decision] { state.withLock { Array($0.stored.values) } }

    public func mutes() async throws -> Mutes {
        try state.withLock { state in
            if state.isMuteHidden { throw Failure() }
            return state.mutes
        }
    }

    /// Whether reading what is muted fails.
    public func hideMute(_ isHidden: Bool) { state.withLock { $0.isMuteHidden = isHidden } }

    public func submit(_ event: LedgerEvent, changing change: DecisionChange?) -> Ticket {
        let ticket = Ticket()
        let handler = beforeWrite.withLock { $0 }
        let isFirst = waiting.withLock { waiting in
            waiting.append((event, change, ticket))
            return waiting.count == 1
        }
        guard isFirst else { return ticket }
        if handler == nil {
            while writeFirst() {}
        } else {
            Task { await self.writeWaiting() }
        }
        return ticket
    }

    private func writeWaiting() async {
        while let (event, _, _) = waiting.withLock({ $0.first }) {
            if let handler = beforeWrite.withLock({ $0 }) { await handler(event) }
            guard writeFirst() else { return }
        }
    }

    /// - Returns: whether more wait.
    private func writeFirst() -> Bool {
        guard let (event, change, ticket) = waiting.withLock({ $0.first }) else { return false }
        ticket.complete(Result { try store(event, change) })
        return waiting.withLock { waiting in
            waiting.removeFirst()
            return !waiting.isEmpty
        }
    }

    private func store(_ event: LedgerEvent, _ change: DecisionChange?) throws -> UInt64 {
        try state.withLock { state in
            guard state.events.count < state.failsAfter else { throw state.failure }
            state.events.append(event)
            if case .muted(let scope, let caller) = event {
                state.mutes[scope] = Mute(scope, user: caller.user, program: caller.executable.path)
            }
            if case .unmuted(let scope, _) = event { state.mutes[scope] = nil }
            let index = UInt64(state.events.count - 1)
            if let change { state.stored[change.key] = change.made(by: index).decision }
            return index
        }
    }
}
