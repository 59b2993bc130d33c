import Authorization
import Crypto
import Foundation

/// The form of a kept file:
///
///     voicegate-kept-1 ITEM KIND\n
///     chunk…
///
/// Each chunk is ChaCha20-Poly1305 (RFC 8439): up to 65,536 bytes of data and 16 of tag, with the header as associated
/// data. A nonce is eleven bytes of a counter from 0, big-endian, and one that is 1 for the last chunk, so that a file
/// that was cut off, even between two chunks, does not open (the STREAM construction, as age uses it). All chunks but the
/// last are full. A key is used for one file.
enum SealedFormat {
    static let chunkSize = 65_536
    static let tagSize = 16

    static func header(of item: String, _ kind: DataKind) -> Data {
        Data("voicegate-kept-1 \(item) \(kind.rawValue)\n".utf8)
    }

    static func nonce(_ counter: UInt64, isLast: Bool) throws -> ChaChaPoly.Nonce {
        var bytes = Data(count: 3)
        withUnsafeBytes(of: counter.bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(isLast ? 1 : 0)
        return try ChaChaPoly.Nonce(data: bytes)
    }
}
