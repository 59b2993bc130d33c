import Speech
import Synchronization

/// The service's own recogniser, which understands what the test tells it to.
final class WordsInside: RecognitionSession {
    let events: AsyncStream<RecognitionEvent>
    private let queue: AsyncStream<RecognitionEvent>.Continuation
    private let taken = Mutex(0)
    private let given = Mutex(0)

    init() { (events, queue) = AsyncStream.makeStream() }

    /// Samples that it was given.
    var samples: Int { taken.withLock { $0 } }

    /// Pieces of a file that it was given.
    var pieces: Int { given.withLock { $0 } }

    func tell(_ events: RecognitionEvent...) { for event in events { queue.yield(event) } }
    func accept(_ frames: Frames) async -> Bool {
        taken.withLock { $0 += frames.samples.count }
        return true
    }
    func skip(to position: Int64) async {}
    func accept(file bytes: [UInt8]) async { given.withLock { $0 += 1 } }
    func finish() async { queue.finish() }
    func cancel() async { queue.finish() }
}
