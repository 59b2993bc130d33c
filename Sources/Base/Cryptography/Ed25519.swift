import CCrypto
import FoundationEssentials

/// Ed25519 (RFC 8032) over the message itself.
public enum Ed25519 {
    public static let keySize = 32
    public static let signatureSize = 64

    public struct PrivateKey: Sendable {
        private let secret: SymmetricKey
        private let key: Key
        /// 32 bytes.
        public let publicKey: Data

        /// - Parameter seed: 32 secret bytes.
        public init(seed: Data) throws(CryptographyError) {
            secret = SymmetricKey(data: seed)
            key = try Key(seed, EVP_PKEY_new_raw_private_key_ex)
            publicKey = try key.publicBytes()
        }

        public var seed: Data { secret.withUnsafeBytes { Data($0) } }

        public func signature(for message: Data) throws(CryptographyError) -> Data {
            let operation = try LibCrypto.check(EVP_MD_CTX_new())
            defer { EVP_MD_CTX_free(operation) }
            try LibCrypto.check(
                EVP_DigestSignInit_ex(operation, nil, nil, LibCrypto.context, nil, key.pointer, nil))
            var (signature, size) = ([UInt8](repeating: 0, count: signatureSize), signatureSize)
            try LibCrypto.check(EVP_DigestSign(operation, &signature, &size, Array(message), message.count))
            return Data(signature)
        }
    }

    /// - Returns: `false` also for a key or a signature of another size, and if libcrypto cannot check it.
    public static func isValid(_ signature: Data, of message: Data, publicKey: Data) -> Bool {
        defer { ERR_clear_error() }
        guard let key = try? Key(publicKey, EVP_PKEY_new_raw_public_key_ex), let operation = EVP_MD_CTX_new() else {
            return false
        }
        defer { EVP_MD_CTX_free(operation) }
        return EVP_DigestVerifyInit_ex(operation, nil, nil, LibCrypto.context, nil, key.pointer, nil) == 1
            && EVP_DigestVerify(operation, Array(signature), signature.count, Array(message), message.count) == 1
    }
}

/// A key in libcrypto, which locks what changes in it.
private final class Key: Sendable {
    typealias Maker = (
        OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<UInt8>?, Int
    ) -> OpaquePointer?

    nonisolated(unsafe) let pointer: OpaquePointer

    init(_ bytes: Data, _ make: Maker) throws(CryptographyError) {
        guard bytes.count == Ed25519.keySize else { throw .size }
        pointer = try LibCrypto.check(
            bytes.withUnsafeBytes { make(LibCrypto.context, "ED25519", nil, $0.octets, $0.count) })
    }

    /// Overwrites a private key.
    deinit { EVP_PKEY_free(pointer) }

    func publicBytes() throws(CryptographyError) -> Data {
        var (bytes, size) = ([UInt8](repeating: 0, count: Ed25519.keySize), Ed25519.keySize)
        try LibCrypto.check(EVP_PKEY_get_raw_public_key(pointer, &bytes, &size))
        return Data(bytes)
    }
}
