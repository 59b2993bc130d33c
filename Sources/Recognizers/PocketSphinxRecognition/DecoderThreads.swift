import Foundation
import RecognizerWorker
import Speech
import Synchronization

/// Decoders, each on its own thread, that take jobs from one queue, so that audio is read while they decode.
final class DecoderThreads: Sendable {
    typealias Job = @Sendable (Decoder) -> Void

    private let count: Int
    private let jobs: BlockingQueue<Job>
    private let loaded: BlockingQueue<RecognitionError?>
    private let done: BlockingQueue<Void>
    private let preparation = Mutex<Job?>(nil)

    /// Starts loading the model, once for each decoder.
    ///
    /// - Parameters:
    ///   - isForDictation: no phrases and no grammar will be judged.
    ///   - waiting: how many jobs may wait. After that `perform` blocks, and with it the reading of the audio.
    init(model: Model, isForDictation: Bool = false, count: Int, waiting: Int) {
        self.count = count
        jobs = BlockingQueue(capacity: waiting)
        loaded = BlockingQueue(capacity: count)
        done = BlockingQueue(capacity: count)
        for _ in 0..<count {
            let thread = Thread { [self] in run(model, isForDictation) }
            // A main thread's stack: the library searches its lattices by recursion.
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    private func run(_ model: Model, _ isForDictation: Bool) {
        do throws(RecognitionError) {
            let decoder = try Decoder(model: model, isForDictation: isForDictation)
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

    /// Waits until every decoder has loaded the model.
    func ready() throws(RecognitionError) {
        for _ in 0..<count {
            if case .some(.some(let error)) = loaded.take() { throw error }
        }
    }

    /// Sets what each decoder does before its first job, and starts it on one decoder. Call it before any other job.
    func prepare(_ work: @escaping Job) {
        preparation.withLock { $0 = work }
        perform { _ in }
    }

    /// Queues a job for the next free decoder. One decoder performs its jobs in order.
    func perform(_ job: @escaping Job) { jobs.put(job) }

    /// Queues the work and waits for its result.
    func result<Value: Sendable>(_ work: @escaping @Sendable (Decoder) -> Value?) -> Value? {
        let result = BlockingQueue<Value?>(capacity: 1)
        perform { result.put(work($0)) }
        return result.take() ?? nil
    }

    /// The first of the words that the dictionary does not have.
    func unknown(in words: [String]) -> String? {
        result { decoder in words.first { !decoder.knows($0) } }
    }

    /// Waits until all jobs are done.
    func finish() {
        jobs.close()
        for _ in 0..<count { _ = done.take() }
    }
}
