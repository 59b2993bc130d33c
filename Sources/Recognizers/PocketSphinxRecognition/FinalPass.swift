import Foundation
import Speech

/// A decoder on a thread of its own, so that the audio is listened to while it decodes.
final class FinalPass: Sendable {
    // So many pieces of audio may wait; then the rest does, in the socket, and the service sees that we are behind.
    private let jobs = BlockingQueue<@Sendable (Decoder) -> Void>(capacity: 16)
    private let loaded = BlockingQueue<ModelError?>(capacity: 1)
    private let done = BlockingQueue<Void>(capacity: 1)

    /// Starts loading the model.
    init(model: Model) {
        let thread = Thread { [jobs, loaded, done] in
            do throws(ModelError) {
                let decoder = try Decoder(model: model)
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

    /// Lets the work be done with the decoder, some time later, in turn.
    func perform(_ work: @escaping @Sendable (Decoder) -> Void) { jobs.put(work) }

    /// Decodes the utterance some time later, in turn, and tells of it.
    func decode(_ utterance: Utterance, for outbox: Outbox) {
        jobs.put { decoder in
            outbox.final(utterance.number, decoder.understanding(of: utterance))
        }
    }

    /// Lets the work be done with the decoder, in turn, and waits for what comes of it.
    func result<Value: Sendable>(_ work: @escaping @Sendable (Decoder) -> Value?) -> Value? {
        let result = BlockingQueue<Value?>(capacity: 1)
        jobs.put { result.put(work($0)) }
        return result.take() ?? nil
    }

    /// Waits until all is done.
    func finish() {
        jobs.close()
        _ = done.take()
    }
}
