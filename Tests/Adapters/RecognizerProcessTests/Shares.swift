import Synchronization

/// Notes progress as it is told, from any thread.
final class Shares: Sendable {
    private let state = Mutex<[Double]>([])
    private let told: AsyncStream<Void>
    private let telling: AsyncStream<Void>.Continuation

    init() { (told, telling) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    var all: [Double] { state.withLock { $0 } }

    func add(_ share: Double) {
        state.withLock { $0.append(share) }
        telling.yield()
    }

    /// Returns when there is one.
    func first() async { for await _ in told { return } }
}
