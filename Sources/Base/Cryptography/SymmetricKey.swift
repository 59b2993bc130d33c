import CCrypto

/// A secret key. Its memory is overwritten when it ends.
public final class SymmetricKey: Sendable, Equatable {
    /// Written by the initialisers only.
    private nonisolated(unsafe) let bytes: UnsafeMutableRawBufferPointer

    /// 256 random bits of the kernel.
    public init() {
        bytes = .allocate(byteCount: 32, alignment: 8)
        var generator = SystemRandomNumberGenerator()
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            bytes.storeBytes(of: generator.next() as UInt64, toByteOffset: offset, as: UInt64.self)
        }
    }

    public init(data: some Collection<UInt8>) {
        bytes = .allocate(byteCount: data.count, alignment: 8)
        bytes.copyBytes(from: data)
    }

    deinit {
        OPENSSL_cleanse(bytes.baseAddress, bytes.count)
        bytes.deallocate()
    }

    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(bytes))
    }

    /// In constant time for keys of one size.
    public static func == (left: SymmetricKey, right: SymmetricKey) -> Bool {
        left.bytes.count == right.bytes.count
            && CRYPTO_memcmp(left.bytes.baseAddress, right.bytes.baseAddress, left.bytes.count) == 0
    }
}
