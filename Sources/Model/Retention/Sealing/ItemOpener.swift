import Authorization
import Crypto
import Foundation

/// Decrypts a kept file chunk by chunk. Nothing of a chunk is told that is not whole and in its place.
struct ItemOpener {
    private let key: SymmetricKey
    private let item: String
    private let header: Data
    private let input: any KeptInput
    private var counter: UInt64 = 0
    /// What was read of the next chunk, to know whether there is one.
    private var ahead: Data?

    init(key: SymmetricKey, item: String, kind: DataKind, input: any KeptInput) {
        self.key = key
        self.item = item
        self.input = input
        header = SealedFormat.header(of: item, kind)
    }

    /// - Returns: the data of the next chunk; `nil` behind the last.
    /// - Throws: `RetentionError` with `damaged`.
    mutating func next() async throws -> Data? {
        if ahead == nil {
            guard try await input.read(header.count) == header else { throw RetentionError.damaged(item) }
            ahead = try await readChunk()
        }
        guard let chunk = ahead, !chunk.isEmpty else {
            guard counter > 0 else { throw RetentionError.damaged(item) }
            return nil
        }
        let following = try await readChunk()
        ahead = following
        guard chunk.count >= SealedFormat.tagSize else { throw RetentionError.damaged(item) }
        do {
            let box = try ChaChaPoly.SealedBox(
                nonce: SealedFormat.nonce(counter, isLast: following.isEmpty),
                ciphertext: chunk.dropLast(SealedFormat.tagSize), tag: chunk.suffix(SealedFormat.tagSize))
            counter += 1
            return try ChaChaPoly.open(box, using: key, authenticating: header)
        } catch {
            throw RetentionError.damaged(item)
        }
    }

    private func readChunk() async throws -> Data {
        try await input.read(SealedFormat.chunkSize + SealedFormat.tagSize)
    }
}
