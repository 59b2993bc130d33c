import Foundation

/// Decodes recordings with a decoder that is not adapted, on a thread of its own.
final class PlainDecoding {
    private let result = BlockingQueue<[Int]>(capacity: 1)

    init(_ recordings: [Recording], with decoder: Decoder, progress: LearningProgress) {
        // Safe: only this thread uses the decoder from here on.
        nonisolated(unsafe) let decoder = decoder
        let thread = Thread { [result] in
            result.put(
                recordings.map { recording in
                    defer { progress.step() }
                    return decoder.errors(in: recording)
                })
        }
        // As much as a main thread has: the library searches its lattices by recursion.
        thread.stackSize = 8 << 20
        thread.start()
    }

    /// Waits for the errors in each.
    func errors() -> [Int] { result.take() ?? [] }
}
