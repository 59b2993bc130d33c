import Authorization
import Cryptography
import Foundation

/// An item that is being written. Its key is nowhere else until the item is complete.
public actor ItemWriter {
    public nonisolated let item: KeptItem
    private let key = SymmetricKey()
    private var sealer: ItemSealer
    private let output: KeptFile

    init(item: KeptItem, output: KeptFile) {
        self.item = item
        self.output = output
        sealer = ItemSealer(key: key, item: item.identifier, kind: item.kind)
    }

    /// Calls must follow one another; each returns when its bytes are with the system.
    public func append(_ bytes: Data) async throws {
        let sealed = try sealer.add(bytes)
        if !sealed.isEmpty { try await output.write(sealed) }
    }

    /// Writes the rest and waits until it is durable.
    func finish() async throws -> (bytes: Int64, key: Data) {
        let rest = try sealer.finish()
        try await output.write(rest)
        try await output.sync()
        return (sealer.count, key.withUnsafeBytes { Data($0) })
    }
}

/// The data of an item, decrypted chunk by chunk as it is read.
public struct KeptContent: AsyncSequence, Sendable {
    public typealias Element = Data

    public let item: KeptItem
    let key: SymmetricKey
    let folder: KeptFolder

    public func makeAsyncIterator() -> Iterator { Iterator(content: self) }

    public struct Iterator: AsyncIteratorProtocol {
        let content: KeptContent
        private(set) var opener: ItemOpener?

        /// - Throws: `RetentionError` with `damaged`.
        public mutating func next() async throws -> Data? {
            if opener == nil {
                opener = ItemOpener(
                    key: content.key, item: content.item.identifier, kind: content.item.kind,
                    reading: try await content.folder.open(content.item.identifier).read)
            }
            return try await opener?.next()
        }
    }
}

/// Encrypts an item as it comes, holding one chunk of it.
struct ItemSealer: Sendable {
    private let key: SymmetricKey
    private let header: Data
    /// What was not written of the header.
    private var start: Data
    private var counter: UInt64 = 0
    private var waiting = Data()
    /// Bytes of data so far.
    private(set) var count: Int64 = 0

    init(key: SymmetricKey, item: String, kind: DataKind) {
        self.key = key
        header = SealedFormat.header(of: item, kind)
        start = header
    }

    /// - Returns: what is to be written for it now, with the header the first time; often nothing.
    mutating func add(_ bytes: Data) throws -> Data {
        var output = start
        start = Data()
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
        let nonce = SealedFormat.nonce(counter, isLast: isLast)
        counter += 1
        return try ChaChaPoly.seal(bytes, using: key, nonce: nonce, authenticating: header)
    }
}

/// Decrypts a kept file chunk by chunk. Returns only chunks that are complete and in order.
struct ItemOpener {
    private let key: SymmetricKey
    private let item: String
    private let header: Data
    /// Gives the next bytes, as many as it is asked for unless the file ends.
    private let read: @Sendable (Int) async throws -> Data
    private var counter: UInt64 = 0
    /// What was read of the next chunk, to know whether there is one.
    private var ahead: Data?

    init(key: SymmetricKey, item: String, kind: DataKind, reading read: @escaping @Sendable (Int) async throws -> Data)
    {
        self.key = key
        self.item = item
        self.read = read
        header = SealedFormat.header(of: item, kind)
    }

    /// - Returns: the data of the next chunk; `nil` behind the last.
    /// - Throws: `RetentionError` with `damaged`.
    mutating func next() async throws -> Data? {
        if ahead == nil {
            guard try await read(header.count) == header else { throw RetentionError.damaged(item) }
            ahead = try await readChunk()
        }
        guard let chunk = ahead, !chunk.isEmpty else {
            guard counter > 0 else { throw RetentionError.damaged(item) }
            return nil
        }
        let following = try await readChunk()
        ahead = following
        let nonce = SealedFormat.nonce(counter, isLast: following.isEmpty)
        counter += 1
        do {
            return try ChaChaPoly.open(chunk, using: key, nonce: nonce, authenticating: header)
        } catch {
            throw RetentionError.damaged(item)
        }
    }

    private func readChunk() async throws -> Data {
        try await read(SealedFormat.chunkSize + ChaChaPoly.tagSize)
    }
}

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

    static func header(of item: String, _ kind: DataKind) -> Data {
        Data("voicegate-kept-1 \(item) \(kind.rawValue)\n".utf8)
    }

    static func nonce(_ counter: UInt64, isLast: Bool) -> Data {
        var bytes = Data(count: 3)
        withUnsafeBytes(of: counter.bigEndian) { bytes.append(contentsOf: $0) }
        bytes.append(isLast ? 1 : 0)
        return bytes
    }
}
