import SocketAPI

/// How long the service waits for what a client is still to send.
enum Patience {
    /// For a body that is gathered before anything is done with it. A byte now and then keeps a connection from counting as
    /// idle, so the whole of it has a limit.
    static let body = Duration.seconds(60)

    /// - Throws: `RouteError` where reading takes longer, and what reading throws. Reading is cancelled then.
    static func reading<Value: Sendable>(
        within limit: Duration = body, _ read: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask(operation: read)
            group.addTask {
                try await Task.sleep(for: limit)
                throw RouteError(.badRequest, "The request did not come to its end in time; send it again.")
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
