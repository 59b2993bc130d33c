import Foundation
import Recognition

/// Accurate decoders, each on a thread of its own, for utterances that are there already. Each utterance is decoded from a
/// fresh state, so that its words do not depend on which decoder it falls to.
final class DecoderCrew: Sendable {
    // As many again may wait; then the reading of the file does.
    private let jobs: BlockingQueue<@Sendable (Decoder) -> Void>
    /// One for each decoder.
    private let preparations: BlockingQueue<@Sendable (Decoder) -> Void>
    private let loaded: BlockingQueue<ModelError?>
    private let done: BlockingQueue<Bool>
    private let count: Int

    /// Starts loading the model, once for each decoder.
    init(model: Model, count: Int) {
        self.count = max(1, count)
        jobs = BlockingQueue(capacity: self.count)
        preparations = BlockingQueue(capacity: self.count)
        loaded = BlockingQueue(capacity: self.count)
        done = BlockingQueue(capacity: self.count)
        for _ in 0..<self.count {
            let thread = Thread { [jobs, preparations, loaded, done] in
                do throws(ModelError) {
                    let decoder = try Decoder(model: model)
                    loaded.put(nil)
                    if let prepare = preparations.take() { prepare(decoder) }
                    while let job = jobs.take() { job(decoder) }
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

    /// Brings each decoder from the model's own state to that of a session; once, before any work.
    func prepare(_ preparation: @escaping @Sendable (Decoder) -> Void) {
        for _ in 0..<count { preparations.put(preparation) }
    }

    /// Lets a decoder that is free do the work; waits while none is and enough works wait.
    func work(_ job: @escaping @Sendable (Decoder) -> Void) { jobs.put(job) }

    /// Waits until all is done.
    func finish() {
        preparations.close()
        jobs.close()
        for _ in 0..<count { _ = done.take() }
    }
}
