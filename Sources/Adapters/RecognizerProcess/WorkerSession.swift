import Speech

/// A session with a worker of its own. Dropping it cancels.
final class WorkerSession: RecognitionSession {
    let events: AsyncStream<RecognitionEvent>

    private let pool: RecognizerPool
    private let worker: Int
    private let queue: EventQueue

    init(pool: RecognizerPool, worker: Int, queue: EventQueue) {
        self.pool = pool
        self.worker = worker
        self.queue = queue
        self.events = AsyncStream { await queue.next() }
    }

    deinit {
        queue.close(nil)
        Task { [pool, worker] in await pool.cancel(worker) }
    }

    func accept(_ frames: Frames) async { await pool.accept(frames, for: worker) }

    func accept(file bytes: [UInt8]) async { await pool.accept(file: bytes, for: worker) }

    func finish() async { await pool.finish(worker) }

    func cancel() async {
        queue.replace(nil)
        await pool.cancel(worker)
    }
}
