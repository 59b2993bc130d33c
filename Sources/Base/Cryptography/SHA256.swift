import CCrypto

/// SHA-256 (FIPS 180-4) over bytes as they come.
public struct SHA256: Sendable {
    private var context = SHA256_CTX()

    public init() { Self.check(SHA256_Init(&context)) }

    @inlinable
    public static func hash(data: some Sequence<UInt8>) -> Digest {
        var hash = SHA256()
        hash.update(data: data)
        return hash.finalize()
    }

    @inlinable
    public mutating func update(data: some Sequence<UInt8>) {
        guard data.withContiguousStorageIfAvailable({ update(bufferPointer: UnsafeRawBufferPointer($0)) }) == nil else {
            return
        }
        Array(data).withUnsafeBytes { update(bufferPointer: $0) }
    }

    public mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
        Self.check(SHA256_Update(&context, bytes.baseAddress, bytes.count))
    }

    /// The digest of all bytes so far.
    public func finalize() -> Digest {
        var context = context
        var digest = Digest()
        digest.withUnsafeMutableBytes { Self.check(SHA256_Final($0.bindMemory(to: UInt8.self).baseAddress, &context)) }
        return digest
    }

    /// SHA256_Init(3): 1 for success.
    private static func check(_ result: CInt) { precondition(result == 1, "libcrypto cannot hash") }
}

extension SHA256 {
    /// 32 bytes, which are compared in constant time.
    public struct Digest: Sendable, Hashable, RandomAccessCollection {
        public static let size = 32

        private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

        public var startIndex: Int { 0 }
        public var endIndex: Int { Self.size }
        public subscript(position: Int) -> UInt8 { withUnsafeBytes { $0[position] } }

        public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
            try Swift.withUnsafeBytes(of: words, body)
        }

        mutating func withUnsafeMutableBytes<Result>(_ body: (UnsafeMutableRawBufferPointer) -> Result) -> Result {
            Swift.withUnsafeMutableBytes(of: &words, body)
        }

        public func withContiguousStorageIfAvailable<Result>(
            _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
        ) rethrows -> Result? {
            try withUnsafeBytes { try $0.withMemoryRebound(to: UInt8.self, body) }
        }

        public static func == (left: Digest, right: Digest) -> Bool {
            left.withUnsafeBytes { left in
                right.withUnsafeBytes { CRYPTO_memcmp(left.baseAddress, $0.baseAddress, size) == 0 }
            }
        }

        public func hash(into hasher: inout Hasher) { withUnsafeBytes { hasher.combine(bytes: $0) } }
    }
}
