import Dispatch

/// Runs what blocks away from the threads that all tasks share.
enum Blocking {
    private static let queue = DispatchQueue(label: "io.voicegate.cli.blocking", attributes: .concurrent)

    static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Swift.Result(catching: body)) }
        }
    }
}
