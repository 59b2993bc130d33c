import Synchronization

/// Runs blocking work on threads of its own: one piece of each user at a time, and the users take turns, so that no user waits
/// for more than one piece of each other one.
final class UserTurns: Sendable {
    private let order: Mutex<TurnOrder<@Sendable () -> Void>>
    private let queues: BlockingQueues

    /// - Parameters:
    ///   - width: pieces that run at a time.
    ///   - most: pieces of one user that wait.
    init(width: Int = 2, most: Int = 256) {
        order = Mutex(TurnOrder(width: width, most: most))
        queues = BlockingQueues(label: "voicegate.user-turns", width: width)
    }

    /// The number of pieces that wait.
    var waiting: Int { order.withLock { $0.waiting } }

    /// - Throws: what the work throws; `busy` without running it, if too many pieces of the user wait.
    func run<Value: Sendable>(
        of user: UInt32, _ work: @escaping @Sendable () throws(ProcessError) -> Value
    ) async throws(ProcessError) -> Value {
        let result: Result<Value, ProcessError> = await withCheckedContinuation { continuation in
            let isTaken = order.withLock {
                $0.add({ continuation.resume(returning: Result { () throws(ProcessError) in try work() }) }, of: user)
            }
            guard isTaken else {
                return continuation.resume(
                    returning: .failure(
                        ProcessError(
                            code: .busy,
                            message: "Too many programs of user \(user) wait to be identified. Try again later.")))
            }
            start()
        }
        return try result.get()
    }

    private func start() {
        while let (user, work) = order.withLock({ $0.next() }) {
            queues.async(work) { [self] in
                order.withLock { $0.end(of: user) }
                start()
            }
        }
    }
}

/// Which work is next.
struct TurnOrder<Work> {
    private let width: Int
    private let most: Int
    /// In the order of arrival; a user without work has no entry.
    private var works: [UInt32: [Work]] = [:]
    /// The users whose work waits, the next one first.
    private var users: [UInt32] = []
    private var running: Set<UInt32> = []

    init(width: Int, most: Int) { (self.width, self.most) = (width, most) }

    var waiting: Int { works.values.reduce(0) { $0 + $1.count } }

    /// - Returns: `false` if too much work of the user waits; this is not added then.
    mutating func add(_ work: Work, of user: UInt32) -> Bool {
        guard works[user, default: []].count < most else { return false }
        if works[user] == nil { users.append(user) }
        works[user, default: []].append(work)
        return true
    }

    /// The work to start now; `nil` until some ends or is added.
    mutating func next() -> (user: UInt32, work: Work)? {
        guard running.count < width, let place = users.firstIndex(where: { !running.contains($0) }) else { return nil }
        let user = users.remove(at: place)
        guard let work = works[user]?.removeFirst() else { return nil }
        running.insert(user)
        if works[user]?.isEmpty == true { works[user] = nil } else { users.append(user) }
        return (user, work)
    }

    mutating func end(of user: UInt32) { running.remove(user) }
}
