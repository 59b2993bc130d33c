import Foundation
import Speech
import Synchronization

/// Decoders, each on its own thread, that take jobs from one queue, so that audio is read while they decode.
public final class DecoderThreads<Decoder>: Sendable {
    public typealias Job = @Sendable (Decoder) -> Void

    private let count: Int
    private let jobs: BlockingQueue<Job>
    private let loaded: BlockingQueue<RecognitionError?>
    private let done: BlockingQueue<Void>
    private let preparation = Mutex<Job?>(nil)

    /// - Parameters:
    ///   - waiting: how many jobs may wait. After that `perform` blocks, and with it the reading of the audio.
    ///   - make: is called on each thread; the decoder stays there.
    public init(
        count: Int, waiting: Int, make: @escaping @Sendable () throws(RecognitionError) -> Decoder
    ) {
        self.count = count
        jobs = BlockingQueue(capacity: waiting)
        loaded = BlockingQueue(capacity: count)
        done = BlockingQueue(capacity: count)
        for _ in 0..<count {
            let thread = Thread { [self] in run(make) }
            // A main thread's stack: libraries search their lattices by recursion.
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    private func run(_ make: () throws(RecognitionError) -> Decoder) {
        do throws(RecognitionError) {
            let decoder = try make()
            loaded.put(nil)
            var isPrepared = false
            while let job = jobs.take() {
                if !isPrepared { preparation.withLock { $0 }?(decoder) }
                isPrepared = true
                job(decoder)
            }
        } catch {
            loaded.put(error)
        }
        done.put(())
    }

    /// Waits until every decoder is made.
    public func ready() throws(RecognitionError) {
        for _ in 0..<count {
            if case .some(.some(let error)) = loaded.take() { throw error }
        }
    }

    /// Sets what each decoder does before its first job, and starts it on one decoder. Call it before any other job.
    public func prepare(_ work: @escaping Job) {
        preparation.withLock { $0 = work }
        perform { _ in }
    }

    /// Queues a job for the next free decoder. One decoder performs its jobs in order.
    public func perform(_ job: @escaping Job) { jobs.put(job) }

    /// Queues the work and waits for its result.
    public func result<Value: Sendable>(_ work: @escaping @Sendable (Decoder) -> Value?) -> Value? {
        let result = BlockingQueue<Value?>(capacity: 1)
        perform { result.put(work($0)) }
        return result.take() ?? nil
    }

    /// Waits until all jobs are done.
    public func finish() {
        jobs.close()
        for _ in 0..<count { _ = done.take() }
    }
}
