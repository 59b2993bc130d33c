import Foundation
import Synchronization

/// The last changes of one gate, numbered without a hole, for any number of readers.
///
/// Nothing is kept for a reader but its own place: one that is slow, or never reads, costs the gate nothing. Changes that
/// are older than the newest `capacity` are forgotten; a reader that is behind them is told so.
public final class ChangeHistory: Sendable {
    public enum Page: Sendable {
        /// At least one, in order, each number one above the last.
        case updates([AuthorizationUpdate])
        /// Changes after the cursor are forgotten, or it belongs to another life: what was between cannot be told.
        case gap
        /// The task was cancelled.
        case cancelled
    }

    private struct State {
        /// The change with revision `r` is at `(r - 1) % capacity`.
        var ring: [AuthorizationUpdate] = []
        var revision: UInt64 = 0
        var lastWaiter: UInt64 = 0
        /// Readers that have read everything.
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]
    }

    public let life: String
    public let capacity: Int
    private let state = Mutex(State())

    init(life: String, capacity: Int = 1024) {
        self.life = life
        self.capacity = capacity
    }

    /// The place after the newest change.
    public var last: ChangeCursor { ChangeCursor(life: life, revision: state.withLock { $0.revision }) }

    func append(_ change: AuthorizationChange, _ book: DecisionBook, at moment: Moment) {
        let waiters = state.withLock { state in
            state.revision += 1
            let update = AuthorizationUpdate(
                cursor: ChangeCursor(life: life, revision: state.revision), change: change, book: book,
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

    /// The changes after a place; waits for the first.
    ///
    /// - Parameter limit: of updates returned at a time.
    public func updates(after cursor: ChangeCursor, limit: Int = 64) async -> Page {
        while !Task.isCancelled {
            if let page = page(after: cursor, limit) { return page }
            await waitForChange(after: cursor.revision)
        }
        return .cancelled
    }

    /// A signal whenever there is something new since the last one; several changes may give one.
    public func signals() -> AsyncStream<Void> {
        let place = Mutex(last)
        return AsyncStream { [self] in
            if case .cancelled = await updates(after: place.withLock { $0 }, limit: 1) { return nil }
            place.withLock { $0 = last }
            return ()
        }
    }

    /// Whether reading on from there would tell everything.
    public func covers(_ cursor: ChangeCursor) -> Bool {
        guard case .gap = page(after: cursor, 1) else { return true }
        return false
    }

    /// - Returns: `nil` when there is nothing after it yet.
    private func page(after cursor: ChangeCursor, _ limit: Int) -> Page? {
        state.withLock { state in
            guard cursor.life == life, cursor.revision <= state.revision,
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

/// A place in the order of changes: after the change with this number.
///
/// Written `LIFE:REVISION`. The numbers of another life of the service mean nothing to this one.
public struct ChangeCursor: Sendable, Hashable, LosslessStringConvertible {
    /// UUID of one life of the gate, from start to end.
    public let life: String
    /// 0 before the first change; each change has the next number.
    public let revision: UInt64

    public init(life: String, revision: UInt64) {
        self.life = life
        self.revision = revision
    }

    public init?(_ description: String) {
        let parts = description.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.count <= 64,
            parts[1].allSatisfy({ $0.isASCII && $0.isNumber }), let revision = UInt64(parts[1])
        else { return nil }
        self.init(life: String(parts[0]), revision: revision)
    }

    public var description: String { "\(life):\(revision)" }
}

/// A status that may not be what it was (`locationManagerDidChangeAuthorization`, for speech).
public struct AuthorizationChange: Sendable, Hashable {
    /// What it is about; `nil`: a policy or the person's mute, which may concern everybody.
    public let key: DecisionKey?

    public init(key: DecisionKey?) {
        self.key = key
    }
}

/// A change with its place in the order of all, and how those whom it concerns stood right after it, whatever came since.
public struct AuthorizationUpdate: Sendable {
    public let cursor: ChangeCursor
    public let change: AuthorizationChange
    /// What decided right after the change; for a change of one key what is about that key.
    let book: DecisionBook
    let moment: Moment

    public var isMuted: Bool { book.isMuted }

    /// - Returns: how the requester stood with each resource that the change may concern; empty when it concerns others.
    public func standings(for requester: Requester) -> [Resource: Standing] {
        let resources = Resource.allCases.filter { resource in
            change.key.map { $0 == requester.key(for: resource) } ?? true
        }
        let pairs = resources.map { ($0, book.standing(of: $0, for: requester, at: moment)) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}

/// How a requester stood at one place in the order of changes.
public struct AuthorizationPosition: Sendable, Hashable {
    public let cursor: ChangeCursor
    public let standings: [Resource: Standing]
    public let isMuted: Bool
}
