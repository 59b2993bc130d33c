import Foundation
import Speech
import Synchronization

/// Accurate decoders, each on a thread of its own, for utterances that are there already. Each utterance is decoded from a
/// fresh state, so that its words do not depend on which decoder it falls to.
final class DecoderCrew: Sendable {
    // As many again may wait; then the reading of the file does.
    private let jobs: BlockingQueue<@Sendable (Decoder) -> Void>
    private let loaded: BlockingQueue<ModelError?>
    private let done: BlockingQueue<Bool>
    private let count: Int
    private let preparation = Mutex<(@Sendable (Decoder) -> Void)?>(nil)

    /// Starts loading the model, once for each decoder.
    init(model: Model, count: Int) {
        self.count = max(1, count)
        jobs = BlockingQueue(capacity: self.count)
        loaded = BlockingQueue(capacity: self.count)
        done = BlockingQueue(capacity: self.count)
        for _ in 0..<self.count {
            let thread = Thread { [self] in
                do throws(ModelError) {
                    let decoder = try Decoder(model: model)
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
                done.put(true)
            }
            // As much as a main thread has: the library searches its lattices by recursion.
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    /// Waits until the model is loaded everywhere.
    func ready() throws(ModelError) {
        for _ in 0..<count {
            if case .some(.some(let error)) = loaded.take() { throw error }
        }
    }

    /// What is done with each decoder before its first work; to be said before any.
    func prepare(_ work: @escaping @Sendable (Decoder) -> Void) { preparation.withLock { $0 = work } }

    /// Lets a decoder that is free do the work; waits while none is and enough works wait.
    func work(_ job: @escaping @Sendable (Decoder) -> Void) { jobs.put(job) }

    /// Waits until all is done.
    func finish() {
        jobs.close()
        for _ in 0..<count { _ = done.take() }
    }
}
