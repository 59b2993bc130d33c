import Base
import Foundation
import Synchronization

/// The last `capacity` changes of each user, numbered without a gap, for any number of readers. Readers keep their own
/// position, so a slow one costs nothing; a reader that falls behind gets `gap`. No user's changes wake another user's readers,
/// or take the place of another user's changes, unless there are more users than `mostUsers`.
public final class ChangeHistory: Sendable {
    public enum Page: Sendable {
        /// At least one, in order.
        case updates([AuthorizationUpdate])
        /// Changes after the cursor are lost, or it belongs to another generation.
        case gap
        /// The task was cancelled.
        case cancelled
    }

    private struct UserChanges {
        /// The revision before the first change.
        let start: UInt64
        /// The change with revision `r` is at `(r - 1 - start) % capacity`.
        var ring: [AuthorizationUpdate] = []
        var revision: UInt64
        /// Readers that wait for a change.
        var waiters: [UInt64: CheckedContinuation<Void, Never>] = [:]

        init(after start: UInt64) { (self.start, revision) = (start, start) }
    }

    private struct State {
        /// Of each user who had a change or a reader.
        var users: [UInt32: UserChanges] = [:]
        /// Above the revisions of the users that were dropped, whose readers get a gap.
        var start: UInt64 = 0
        var lastWaiter: UInt64 = 0
        var signals: [UInt64: Signal] = [:]

        /// From now on a change that concerns everyone counts for the user.
        mutating func changes(ofUser user: UInt32) -> UserChanges {
            if let changes = users[user] { return changes }
            if users.count >= ChangeHistory.mostUsers {
                let (kept, dropped) = (users.filter { !$1.waiters.isEmpty }, users.filter(\.value.waiters.isEmpty))
                start = max(start, 1 + (dropped.values.map(\.revision).max() ?? 0))
                users = kept
            }
            let changes = UserChanges(after: start)
            users[user] = changes
            return changes
        }

        /// - Returns: the readers to wake.
        mutating func signal(_ note: (inout ChangedUsers) -> Void) -> [CheckedContinuation<Void, Never>] {
            signals.keys.compactMap { identifier in
                guard var signal = signals[identifier] else { return nil }
                note(&signal.changed)
                defer { signals[identifier] = signal }
                return signal.waiter.take()
            }
        }
    }

    /// A reader of `signals`.
    private struct Signal {
        /// What it has not read.
        var changed = ChangedUsers.some([])
        var waiter: CheckedContinuation<Void, Never>?
    }

    public let generation: String
    public let capacity: Int
    private let state = Mutex(State())
    /// One person may have many numbers of users (subuid(5)).
    private static let mostUsers = 4096

    init(generation: String, capacity: Int = 256) {
        self.generation = generation
        self.capacity = capacity
    }

    /// The position after the user's newest change.
    public func last(ofUser user: UInt32) -> ChangeCursor {
        ChangeCursor(generation: generation, revision: state.withLock { $0.changes(ofUser: user).revision })
    }

    /// Users to whom a change that concerns everyone is announced.
    var users: [UInt32] { state.withLock { Array($0.users.keys) } }

    func hasWaitingReader(ofUser user: UInt32) -> Bool { state.withLock { $0.users[user]?.waiters.isEmpty == false } }

    /// - Parameters:
    ///   - key: `nil` if it may concern all of the user's keys.
    ///   - book: right after the change; no more of it than the change may concern.
    func append(_ key: DecisionKey?, ofUser user: UInt32, _ book: DecisionBook, at moment: Moment) {
        let waiters = state.withLock { state in
            var changes = state.changes(ofUser: user)
            // Its ring is not copied.
            state.users[user] = nil
            changes.revision += 1
            let update = AuthorizationUpdate(
                cursor: ChangeCursor(generation: generation, revision: changes.revision), user: user, key: key,
                book: book, moment: moment)
            if changes.ring.count < capacity {
                changes.ring.append(update)
            } else {
                changes.ring[Int((changes.revision - 1 - changes.start) % UInt64(capacity))] = update
            }
            let waiters = Array(changes.waiters.values)
            changes.waiters = [:]
            state.users[user] = changes
            return waiters + state.signal { $0.insert(user) }
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Signals what concerns these users and is not a change of a permission.
    func signal(_ users: Set<UInt32>) {
        guard !users.isEmpty else { return }
        for waiter in state.withLock({ $0.signal { for user in users { $0.insert(user) } } }) { waiter.resume() }
    }

    /// Signals a change that may concern users without changes and readers, too.
    func signalToAll() {
        for waiter in state.withLock({ $0.signal { $0 = .all } }) { waiter.resume() }
    }

    /// The user's changes after a position; waits for the first.
    public func updates(ofUser user: UInt32, after cursor: ChangeCursor, limit: Int = 64) async -> Page {
        while !Task.isCancelled {
            if let page = page(ofUser: user, after: cursor, limit) { return page }
            await waitForChange(ofUser: user, after: cursor.revision)
        }
        return .cancelled
    }

    /// The users with changes since the last signal, one or more.
    public func signals() -> AsyncStream<ChangedUsers> {
        let identifier = state.withLock { state in
            state.lastWaiter += 1
            state.signals[state.lastWaiter] = Signal()
            return state.lastWaiter
        }
        return AsyncStream { [self] in
            await nextSignal(identifier)
        } onCancel: { [self] in
            state.withLock { $0.signals.removeValue(forKey: identifier) }?.waiter?.resume()
        }
    }

    /// - Returns: `nil` when the reader is cancelled.
    private func nextSignal(_ identifier: UInt64) async -> ChangedUsers? {
        while !Task.isCancelled {
            let changed = state.withLock { state in
                defer { state.signals[identifier]?.changed = .some([]) }
                return state.signals[identifier]?.changed
            }
            guard let changed else { return nil }
            if changed != .some([]) { return changed }
            await withCheckedContinuation { continuation in
                let waits = state.withLock { state in
                    guard !Task.isCancelled, state.signals[identifier]?.changed == .some([]) else { return false }
                    state.signals[identifier]?.waiter = continuation
                    return true
                }
                if !waits { continuation.resume() }
            }
        }
        return nil
    }

    /// Whether reading after the cursor would miss nothing.
    public func covers(_ cursor: ChangeCursor, ofUser user: UInt32) -> Bool {
        guard case .gap = page(ofUser: user, after: cursor, 1) else { return true }
        return false
    }

    /// - Returns: `nil` if there is nothing after it yet.
    private func page(ofUser user: UInt32, after cursor: ChangeCursor, _ limit: Int) -> Page? {
        state.withLock { state in
            let changes = state.users[user] ?? UserChanges(after: state.start)
            guard cursor.generation == generation, cursor.revision <= changes.revision,
                changes.revision - cursor.revision <= UInt64(changes.ring.count)
            else { return .gap }
            guard cursor.revision < changes.revision else { return nil }
            let end = min(changes.revision, cursor.revision + UInt64(limit))
            return .updates((cursor.revision..<end).map { changes.ring[Int(($0 - changes.start) % UInt64(capacity))] })
        }
    }

    private func waitForChange(ofUser user: UInt32, after revision: UInt64) async {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isPast = state.withLock { state in
                    if state.changes(ofUser: user).revision > revision || Task.isCancelled { return true }
                    state.users[user]?.waiters[waiter] = continuation
                    return false
                }
                if isPast { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.users[user]?.waiters.removeValue(forKey: waiter) }?.resume()
        }
    }
}

/// Whose permissions may have changed.
public enum ChangedUsers: Sendable, Hashable {
    case some(Set<UInt32>)
    case all

    public func contains(_ user: UInt32) -> Bool {
        switch self {
        case .some(let users): users.contains(user)
        case .all: true
        }
    }

    fileprivate mutating func insert(_ user: UInt32) {
        if case .some(let users) = self { self = .some(users.union([user])) }
    }
}

/// A position in the order of a user's changes: after the change with this number. Written `GENERATION:REVISION`.
public struct ChangeCursor: Sendable, Hashable, LosslessStringConvertible {
    /// UUID of one run of the gate.
    public let generation: String
    /// Before the user's first change 0, or more if the service has dropped changes of users.
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

/// Permissions at a position in the order of changes: right after a change (`locationManagerDidChangeAuthorization`, for speech), or
/// now.
public struct AuthorizationUpdate: Sendable {
    public let cursor: ChangeCursor
    /// Whose permissions they are.
    public let user: UInt32
    /// What changed; `nil` for a policy or a mute, which may concern every key of the user, and if nothing changed.
    public let key: DecisionKey?
    /// The book at that position, as far as it is about the key or the user.
    let book: DecisionBook
    let moment: Moment

    public var mute: Mute? { book.mutes.covering(user) }

    /// - Returns: the requester's standing for each resource that the change may concern; empty if it concerns others.
    public func standings(for requester: Requester) -> [Resource: Standing] {
        let resources = Resource.allCases.filter { resource in
            key.map { $0 == requester.key(for: resource) } ?? (requester.caller.user == user)
        }
        let pairs = resources.map { ($0, book.visibleStanding(of: $0, for: requester, at: moment)) }
        return Dictionary(uniqueKeysWithValues: pairs)
    }
}
