import Foundation
import Synchronization

/// The last `capacity` changes of one gate, numbered without a gap, for any number of readers. Readers keep their own
/// position, so a slow one costs nothing; a reader that falls behind gets `gap`.
public final class ChangeHistory: Sendable {
    public enum Page: Sendable {
        /// At least one, in order.
        case updates([AuthorizationUpdate])
        /// Changes after the cursor are lost, or it belongs to another generation.
        case gap
        /// The task was cancelled.
        case cancelled
    }

    private struct State {
        /// The change with revision `r` is at `(r - 1) % capacity`.
        var ring: [AuthorizationUpdate] = []
        var revision: UInt64 = 0
        var lastWaiter: UInt64 = 0
        /// Readers that wait for a change.
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    public let generation: String
    public let capacity: Int
    private let state = Mutex(State())

    init(generation: String, capacity: Int = 1024) {
        self.generation = generation
        self.capacity = capacity
    }

    /// The position after the newest change.
    public var last: ChangeCursor { ChangeCursor(generation: generation, revision: state.withLock { $0.revision }) }

    func append(_ key: DecisionKey?, _ book: DecisionBook, at moment: Moment) {
        let waiters = state.withLock { state in
            state.revision += 1
            let update = AuthorizationUpdate(
                cursor: ChangeCursor(generation: generation, revision: state.revision), key: key, book: book,
                moment: moment)
            if state.ring.count < capacity {
                state.ring.append(update)
            } else {
                state.ring[Int((state.revision - 1) % UInt64(capacity))] = update
            }
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume() }
    }

    /// The changes after a position; waits for the first.
    public func updates(after cursor: ChangeCursor, limit: Int = 64) async -> Page {
        while !Task.isCancelled {
            if let page = page(after: cursor, limit) { return page }
            await waitForChange(after: cursor.revision)
        }
        return .cancelled
    }

    /// A signal for one or more changes since the last signal.
    public func signals() -> AsyncStream<Void> {
        let place = Mutex(last)
        return AsyncStream { [self] in
            if case .cancelled = await updates(after: place.withLock { $0 }, limit: 1) { return nil }
            place.withLock { $0 = last }
            return ()
        }
    }

    /// Whether reading after the cursor would miss nothing.
    public func covers(_ cursor: ChangeCursor) -> Bool {
        guard case .gap = page(after: cursor, 1) else { return true }
        return false
    }

    /// - Returns: `nil` if there is nothing after it yet.
    private func page(after cursor: ChangeCursor, _ limit: Int) -> Page? {
        state.withLock { state in
            guard cursor.generation == generation, cursor.revision <= state.revision,
                state.revision - cursor.revision <= UInt64(state.ring.count)
            else { return .gap }
            guard cursor.revision < state.revision else { return nil }
            let end = min(state.revision, cursor.revision + UInt64(limit))
            return .updates((cursor.revision..<end).map { state.ring[Int($0 % UInt64(capacity))] })
        }
    }

    private func waitForChange(after revision: UInt64) async {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isPast = state.withLock { state in
                    if state.revision > revision || Task.isCancelled { return true }
                    state.waiters[waiter] = continuation
                    return false
                }
                if isPast { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume()
        }
    }
}

/// A position in the order of changes: after the change with this number. Written `GENERATION:REVISION`.
public struct ChangeCursor: Sendable, Hashable, LosslessStringConvertible {
    /// UUID of one run of the gate.
    public let generation: String
    /// 0 before the first change.
    public let revision: UInt64

    public init(generation: String, revision: UInt64) {
        self.generation = generation
        self.revision = revision
    }

    public init?(_ description: String) {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.count <= 64,
            parts[1].allSatisfy({ $0.isASCII && $0.isNumber }), let revision = UInt64(parts[1])
        else { return nil }
        self.init(generation: String(parts[0]), revision: revision)
    }

    public var description: String { "\(generation):\(revision)" }
}

/// A change of permissions (`locationManagerDidChangeAuthorization`, for speech), with the permissions right after it.
public struct AuthorizationUpdate: Sendable {
    public let cursor: ChangeCursor
    /// `nil` for a policy or a mute, which may concern every key.
    public let key: DecisionKey?
    /// The book right after the change, or its excerpt about `key`.
    let book: DecisionBook
    let moment: Moment

    public var isMuted: Bool { book.isMuted }

    /// - Returns: the requester's standing for each resource that the change may concern; empty if it concerns others.
    public func standings(for requester: Requester) -> [Resource: Standing] {
        let resources = Resource.allCases.filter { resource in
            key.map { $0 == requester.key(for: resource) } ?? true
        }
        let pairs = resources.map { ($0, book.visibleStanding(of: $0, for: requester, at: moment)) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}

/// A requester's permissions at one position in the order of changes.
public struct AuthorizationPosition: Sendable, Hashable {
    public let cursor: ChangeCursor
    public let standings: [Resource: Standing]
    public let isMuted: Bool
}
