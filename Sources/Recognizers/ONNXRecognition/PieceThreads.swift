import Foundation
import RecognizerWorker
import Speech
import Synchronization

/// A piece of speech and, when it is decoded, its text.
final class Piece: Sendable {
    let samples: [Int16]
    private let isUnneeded = Mutex(false)
    private let result = BlockingQueue<Result<PieceText?, RecognitionError>>(capacity: 1)

    init(_ samples: [Int16]) {
        self.samples = samples
    }

    /// Its words are no longer needed: it is not decoded unless that has begun.
    func forget() { isUnneeded.withLock { $0 = true } }

    func read(by reader: PieceReader) {
        guard !isUnneeded.withLock({ $0 }) else { return result.put(.success(nil)) }
        do throws(RecognitionError) {
            result.put(.success(try reader.text(of: samples)))
        } catch {
            result.put(.failure(error))
        }
    }

    /// Waits for the text; `nil`: it was not decoded. One thread calls it, for the live text and again for the final one.
    func text() throws(RecognitionError) -> PieceText? {
        guard let found = result.take() else { return nil }
        result.put(found)
        return try found.get()
    }
}

/// Threads that decode pieces.
final class PieceThreads: Sendable {
    private let pieces: BlockingQueue<Piece>
    private let waiting = Mutex(0)

    /// - Parameter readers: one for each thread.
    init(_ readers: [PieceReader]) {
        pieces = BlockingQueue(capacity: 2 * readers.count)
        for reader in readers {
            let thread = Thread { [self] in
                while let piece = pieces.take() {
                    piece.read(by: reader)
                    waiting.withLock { $0 -= 1 }
                }
            }
            thread.stackSize = 8 << 20
            thread.start()
        }
    }

    /// Whether a piece that is added now would be decoded at once by a single thread.
    var isIdle: Bool { waiting.withLock { $0 == 0 } }

    /// Decodes the pieces in order. Blocks while too many wait, and with it the reading of the audio.
    func add(_ piece: Piece) {
        waiting.withLock { $0 += 1 }
        pieces.put(piece)
    }
}
