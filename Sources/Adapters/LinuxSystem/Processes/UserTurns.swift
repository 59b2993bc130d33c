import Dispatch
import Synchronization

/// Runs blocking work on its own threads. Few pieces of each user run at a time and the users take turns, so that no user
/// waits for more than one piece of each other one.
///
/// A piece may wait for a file server that never answers, and nothing can end it then. When it has run for too long, its caller
/// gets an error, and the piece counts against its own user only: it keeps its thread, and a new thread runs in its place.
final class UserTurns: Sendable {
    private struct Piece: Sendable {
        let run: @Sendable () -> Void
        let refuse: @Sendable () -> Void
    }

    private struct Running {
        let user: UInt32
        let refuse: @Sendable () -> Void
        let end: ContinuousClock.Instant
        var isLate = false
    }

    private struct State {
        var order: TurnOrder<Piece>
        var running: [UInt64: Running] = [:]
        var last: UInt64 = 0
        var isWatched = false
    }

    private let state: Mutex<State>
    private let limit: Duration
    private let watch = DispatchQueue(label: "voicegate.user-turns.watch")

    /// - Parameters:
    ///   - width: pieces that run at a time.
    ///   - each: pieces of one user that run at a time.
    ///   - most: pieces of one user that wait.
    ///   - limit: how long a piece may run before its caller gets an error.
    init(width: Int = 2, each: Int = 1, most: Int = 256, limit: Duration = .seconds(20)) {
        state = Mutex(State(order: TurnOrder(width: width, each: each, most: most)))
        self.limit = limit
    }

    /// The number of pieces that wait for their turn.
    var waiting: Int { state.withLock { $0.order.waiting } }

    /// The number of pieces that run, with those that have run for too long.
    var running: Int { state.withLock { $0.running.count } }

    /// - Throws: what the work throws; `busy` without running it, if too many pieces of the user wait; `unanswered` when it has
    ///   run for too long, or at once if that is so for all that may run of the user.
    func run<Value: Sendable>(
        of user: UInt32, _ work: @escaping @Sendable () throws(ProcessError) -> Value
    ) async throws(ProcessError) -> Value {
        let result: Result<Value, ProcessError> = await withCheckedContinuation { continuation in
            let answer = FirstAnswer(continuation)
            let piece = Piece(
                run: { answer.give(Result { () throws(ProcessError) in try work() }) },
                refuse: { [limit] in answer.give(.failure(.unanswered(limit))) })
            switch state.withLock({ $0.order.add(piece, of: user) }) {
            case .taken: start()
            case .tooMany: answer.give(.failure(.tooMany(user)))
            case .late: piece.refuse()
            }
        }
        return try result.get()
    }

    private func start() {
        while let (number, run) = next() {
            DispatchQueue(label: "voicegate.user-turns").async { [self] in
                run()
                state.withLock { state in
                    guard let ended = state.running.removeValue(forKey: number) else { return }
                    state.order.end(of: ended.user, late: ended.isLate)
                }
                start()
            }
        }
    }

    private func next() -> (number: UInt64, run: @Sendable () -> Void)? {
        state.withLock { state in
            guard let (user, piece) = state.order.next() else { return nil }
            state.last += 1
            state.running[state.last] = Running(user: user, refuse: piece.refuse, end: .now + limit)
            if !state.isWatched {
                state.isWatched = true
                lookAgain()
            }
            return (state.last, piece.run)
        }
    }

    /// One look for all, because most pieces end at once.
    private func lookAgain() {
        watch.asyncAfter(deadline: .now() + limit / .seconds(1) / 4) { [weak self] in self?.refuseLate() }
    }

    private func refuseLate() {
        let refused = state.withLock { state in
            var refused: [@Sendable () -> Void] = []
            for (number, piece) in state.running where !piece.isLate && piece.end <= .now {
                state.running[number]?.isLate = true
                refused.append(piece.refuse)
                refused += state.order.markLate(of: piece.user).map(\.refuse)
            }
            state.isWatched = state.running.contains { !$0.value.isLate }
            if state.isWatched { lookAgain() }
            return refused
        }
        for refuse in refused { refuse() }
        start()
    }
}

/// A continuation that several may resume; the first one does.
private final class FirstAnswer<Value: Sendable>: Sendable {
    private let continuation: Mutex<CheckedContinuation<Value, Never>?>

    init(_ continuation: CheckedContinuation<Value, Never>) { self.continuation = Mutex(continuation) }

    func give(_ value: Value) {
        let first = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        first?.resume(returning: value)
    }
}

extension ProcessError {
    fileprivate static func tooMany(_ user: UInt32) -> ProcessError {
        ProcessError(
            code: .busy, message: "Too many programs of user \(user) wait to be identified. Try again later.")
    }

    fileprivate static func unanswered(_ limit: Duration) -> ProcessError {
        ProcessError(
            code: .unanswered,
            message:
                "A program's file or memory could not be read within \(limit.components.seconds) s, as if its file "
                + "server did not answer. Check its file system, or end that program; then try again.")
    }
}

/// Which work is next.
struct TurnOrder<Work> {
    enum Admission {
        case taken
        /// Too much work of the user waits.
        case tooMany
        /// All that may run of the user is late.
        case late
    }

    /// Of all users; work that is late beyond it keeps its place.
    private static var mostLate: Int { 64 }

    private let width: Int
    private let each: Int
    private let most: Int
    /// In the order of arrival; a user without work has no entry.
    private var works: [UInt32: [Work]] = [:]
    /// The users whose work waits, the next one first.
    private var users: [UInt32] = []
    /// The counts of each user, with what is late.
    private var running: [UInt32: Int] = [:]
    private var late: [UInt32: Int] = [:]

    init(width: Int, each: Int = 1, most: Int) { (self.width, self.each, self.most) = (width, each, most) }

    var waiting: Int { works.values.reduce(0) { $0 + $1.count } }

    /// Work that is not taken is not added.
    mutating func add(_ work: Work, of user: UInt32) -> Admission {
        guard !isLate(user) else { return .late }
        guard works[user, default: []].count < most else { return .tooMany }
        if works[user] == nil { users.append(user) }
        works[user, default: []].append(work)
        return .taken
    }

    /// The work to start now; `nil` until some ends or is added.
    mutating func next() -> (user: UInt32, work: Work)? {
        let counted = running.values.reduce(0, +) - min(late.values.reduce(0, +), Self.mostLate)
        guard counted < width, let place = users.firstIndex(where: { running[$0, default: 0] < each }) else {
            return nil
        }
        let user = users.remove(at: place)
        guard let work = works[user]?.removeFirst() else { return nil }
        running[user, default: 0] += 1
        if works[user]?.isEmpty == true { works[user] = nil } else { users.append(user) }
        return (user, work)
    }

    /// Lets other work run in the place of one that takes too long.
    ///
    /// - Returns: the user's work that can no longer run.
    mutating func markLate(of user: UInt32) -> [Work] {
        late[user, default: 0] += 1
        guard isLate(user) else { return [] }
        users.removeAll { $0 == user }
        return works.removeValue(forKey: user) ?? []
    }

    mutating func end(of user: UInt32, late isLate: Bool = false) {
        running.decrement(user)
        if isLate { late.decrement(user) }
    }

    private func isLate(_ user: UInt32) -> Bool { late[user, default: 0] >= each }
}

extension [UInt32: Int] {
    /// A count of zero has no entry.
    fileprivate mutating func decrement(_ key: UInt32) {
        guard let count = self[key] else { return }
        self[key] = count > 1 ? count - 1 : nil
    }
}
