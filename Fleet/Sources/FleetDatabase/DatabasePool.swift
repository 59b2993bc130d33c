import Logging

/// Connections that requests share. Each is used by one request at a time; if all are in use, the next request waits, up to
/// `mostWaiting` of them.
public actor DatabasePool {
    /// Requests that wait. Those whose clients have gone wait, too, while the database is away.
    private static let mostWaiting = 2000

    private let settings: String
    private let limit: Int
    private var idle: [DatabaseConnection] = []
    private var used = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// - Parameter settings: see `DatabaseConnection`.
    public init(settings: String, limit: Int) {
        self.settings = settings
        self.limit = limit
    }

    /// Runs the body with a connection. One that was broken is replaced the next time.
    public nonisolated func withConnection<Value: Sendable>(
        _ body: @Sendable (DatabaseConnection) async throws -> Value
    ) async throws -> Value {
        let connection = try await take()
        do {
            let value = try await body(connection)
            await give(connection)
            return value
        } catch {
            // With several servers in the settings, the next connection is to the primary.
            if (error as? DatabaseError)?.state == DatabaseError.readOnly {
                await discard()
            } else {
                await give(connection)
            }
            throw error
        }
    }

    /// One transaction; see `DatabaseConnection.transaction`.
    public nonisolated func transaction<Value: Sendable>(
        waiting time: String = "5s", _ body: @escaping @Sendable (isolated DatabaseConnection) throws -> Value
    ) async throws -> Value {
        try await withConnection { try await $0.transaction(waiting: time, body) }
    }

    /// One statement.
    @discardableResult
    public nonisolated func query(_ sql: String, _ parameters: [String?] = []) async throws -> [[String?]] {
        try await withConnection { try await $0.query(sql, parameters) }
    }

    private func take() async throws -> DatabaseConnection {
        if used < limit {
            used += 1
        } else {
            guard waiting.count < Self.mostWaiting else { throw DatabaseError.noConnection }
            await withCheckedContinuation { waiting.append($0) }
        }
        // The place of a request that has ended is taken over, with its connection if that is alive.
        while let connection = idle.popLast() {
            if await connection.isIdle { return connection }
        }
        do {
            return try await DatabaseConnection(settings: settings)
        } catch {
            leave()
            throw error
        }
    }

    private func give(_ connection: DatabaseConnection) async {
        if await connection.isIdle { idle.append(connection) }
        leave()
    }

    /// All connections are to the same server, so the idle ones are dropped.
    private func discard() {
        idle = []
        leave()
    }

    private func leave() {
        if waiting.isEmpty { used -= 1 } else { waiting.removeFirst().resume() }
    }
}
