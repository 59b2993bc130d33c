import Authorization
import Crypto
import Foundation

/// Encrypts an item as it comes, holding one chunk of it.
struct ItemSealer: Sendable {
    private let key: SymmetricKey
    private let header: Data
    private var counter: UInt64 = 0
    private var waiting = Data()
    /// Bytes of data so far.
    private(set) var count: Int64 = 0

    init(key: SymmetricKey, item: String, kind: DataKind) {
        self.key = key
        header = SealedFormat.header(of: item, kind)
    }

    /// - Returns: what is to be written for it now, with the header the first time; often nothing.
    mutating func add(_ bytes: Data) throws -> Data {
        var output = count == 0 && counter == 0 && waiting.isEmpty ? header : Data()
        waiting.append(bytes)
        count += Int64(bytes.count)
        // The last chunk must not be empty unless it is the only one, so a full chunk waits for more.
        while waiting.count > SealedFormat.chunkSize {
            output += try seal(waiting.prefix(SealedFormat.chunkSize), isLast: false)
            waiting = Data(waiting.dropFirst(SealedFormat.chunkSize))
        }
        return output
    }

    /// - Returns: the rest of the file.
    mutating func finish() throws -> Data {
        let output = try add(Data()) + seal(waiting, isLast: true)
        waiting = Data()
        return output
    }

    private mutating func seal(_ bytes: Data, isLast: Bool) throws -> Data {
        let nonce = try SealedFormat.nonce(counter, isLast: isLast)
        let box = try ChaChaPoly.seal(bytes, using: key, nonce: nonce, authenticating: header)
        counter += 1
        return box.ciphertext + box.tag
    }
}
