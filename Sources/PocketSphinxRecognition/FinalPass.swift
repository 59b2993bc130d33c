import Foundation
import Recognition

/// Decodes utterances that are over, on a thread of its own, so that the live text of the next one is not held up.
final class FinalPass: Sendable {
    // Two utterances may wait; then the session's audio does, in the socket, and the service sees that we are behind.
    private let utterances = BlockingQueue<Utterance>(capacity: 2)
    private let loaded = BlockingQueue<ModelError?>(capacity: 1)
    private let outbox = BlockingQueue<Outbox>(capacity: 1)
    private let done = BlockingQueue<Void>(capacity: 1)

    /// Starts loading the model.
    init(model: Model) {
        let thread = Thread { [utterances, loaded, outbox, done] in
            do throws(ModelError) {
                let decoder = try Decoder(model: model, purpose: .accurate)
                loaded.put(nil)
                guard let outbox = outbox.take() else { return }
                while let utterance = utterances.take() {
                    let segments = decoder.segments(of: utterance.samples)
                    outbox.final(utterance.number, utterance.transcript(of: segments))
                }
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

    /// Begins to take utterances.
    func begin(_ outbox: Outbox) { self.outbox.put(outbox) }

    func decode(_ utterance: Utterance) { utterances.put(utterance) }

    /// Waits until all utterances are decoded.
    func finish() {
        utterances.close()
        _ = done.take()
    }
}
