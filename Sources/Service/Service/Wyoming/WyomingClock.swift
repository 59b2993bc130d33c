import NIOCore
import Synchronization

/// Ends a connection whose client is waited for too long. It runs only while the client is waited for: not while a person
/// is asked, nor while the recogniser works.
final class WyomingClock: Sendable {
    private struct State {
        var deadline: Scheduled<Void>?
        var isOver = false
    }

    private let channel: any Channel
    private let state = Mutex(State())

    init(_ channel: any Channel) { self.channel = channel }

    /// Whether the client was waited for too long; the connection is closed then, or soon will be.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Runs what waits for the client. When that takes too long the client is told, and the connection is closed.
    func waiting<Result>(for limit: Duration, _ work: () async throws -> Result) async rethrows -> Result {
        let deadline = channel.eventLoop.scheduleTask(in: TimeAmount(limit)) { [weak self] () -> Void in self?.expire()
        }
        state.withLock { $0.deadline = deadline }
        defer {
            deadline.cancel()
            state.withLock { $0.deadline = nil }
        }
        return try await work()
    }

    /// One who does not read will not read this either, and is not waited for.
    private func expire() {
        state.withLock { $0.isOver = true }
        let message = "Nothing, or less than a whole event, came for too long. Connect again."
        if let bytes = try? WyomingWriter.error(code: "timedOut", message: message).encoded() {
            channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        }
        channel.eventLoop.scheduleTask(in: .milliseconds(200)) { [channel] in channel.close(promise: nil) }
    }
}
