import Authorization
import ServiceLifecycle

/// Asks users the questions that no request waits for, when their agent runs and nothing has listened for a while.
package actor QuietMoments: Service {
    private struct Watched {
        /// Agents at the last check.
        var agents = 0
        /// Checks in a row at which nothing listened.
        var quiet = 0
        /// Checks since the last question, or since an agent started.
        var waited = Int.max
        var isAsking = false
    }

    private let gate: Gate
    /// How many agents each user has.
    private let agents: @Sendable () async -> [UInt32: Int]
    /// A client that need not run, by its manifest and its program.
    private let registered: @Sendable (ClientIdentifier, UInt32) async -> Requester?
    /// Between two checks; for that long nothing must have listened.
    private let pause: Duration
    /// Checks from one question to the next.
    private static let interval = 12
    private var users: [UInt32: Watched] = [:]

    package init(
        gate: Gate, pause: Duration, registered: @escaping @Sendable (ClientIdentifier, UInt32) async -> Requester?,
        agents: @escaping @Sendable () async -> [UInt32: Int]
    ) {
        self.gate = gate
        self.registered = registered
        self.pause = pause
        self.agents = agents
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                while (try? await Task.sleep(for: self.pause)) != nil {
                    for user in await self.check() { group.addTask { await self.ask(user) } }
                }
                group.cancelAll()
            }
        }
    }

    /// - Returns: the users who can be asked now.
    private func check() async -> [UInt32] {
        let present = await agents()
        users = users.filter { present[$0.key] != nil || $0.value.isAsking }
        var due: [UInt32] = []
        for (user, count) in present {
            let isQuiet = await !gate.isListening(user: user)
            var watched = users[user] ?? Watched()
            watched.quiet = isQuiet ? watched.quiet + 1 : 0
            // After an agent started, ask at the next quiet moment.
            watched.waited = count > watched.agents ? Self.interval : min(watched.waited, Self.interval) + 1
            watched.agents = count
            if watched.quiet >= 2, watched.waited >= Self.interval, !watched.isAsking {
                watched.isAsking = true
                watched.waited = 0
                due.append(user)
            }
            users[user] = watched
        }
        return due
    }

    private func ask(_ user: UInt32) async {
        await gate.askAtQuietMoment(user: user) { [registered] in await registered($0, user) }
        users[user]?.isAsking = false
    }
}
