import Foundation
import Recognition

/// Decodes utterances that are over, on a thread of its own, so that the live text of the next one is not held up.
final class FinalPass: Sendable {
    // Two utterances may wait; then the session's audio does, in the socket, and the service sees that we are behind.
    private let jobs = BlockingQueue<@Sendable (Decoder) -> Void>(capacity: 2)
    private let loaded = BlockingQueue<ModelError?>(capacity: 1)
    private let done = BlockingQueue<Void>(capacity: 1)

    /// Starts loading the model.
    init(model: Model) {
        let thread = Thread { [jobs, loaded, done] in
            do throws(ModelError) {
                let decoder = try Decoder(model: model, purpose: .accurate)
                loaded.put(nil)
                while let job = jobs.take() { job(decoder) }
            } catch {
                loaded.put(error)
            }
            done.close()
        }
        // As much as a main thread has: the library searches its lattices by recursion.
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Waits until the model is loaded.
    func ready() throws(ModelError) {
        if case .some(.some(let error)) = loaded.take() { throw error }
    }

    /// Decodes the utterance some time later, in turn, and tells of it.
    func decode(_ utterance: Utterance, for outbox: Outbox) {
        jobs.put { decoder in
            outbox.final(utterance.number, decoder.transcript(of: utterance))
        }
    }

    /// Lets something be done with the decoder before the utterances that come later.
    func prepare(_ work: @escaping @Sendable (Decoder) -> Void) { jobs.put(work) }

    /// Lets the work be done with the decoder, in turn, and waits for what comes of it.
    func result<Value: Sendable>(_ work: @escaping @Sendable (Decoder) -> Value?) -> Value? {
        let result = BlockingQueue<Value?>(capacity: 1)
        jobs.put { result.put(work($0)) }
        return result.take() ?? nil
    }

    /// Waits until all utterances are decoded.
    func finish() {
        jobs.close()
        _ = done.take()
    }
}
