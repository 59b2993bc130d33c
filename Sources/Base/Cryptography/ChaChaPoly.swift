import CCrypto
import FoundationEssentials

/// ChaCha20-Poly1305 (RFC 8439). A nonce must not be used twice with the same key.
public enum ChaChaPoly {
    public static let keySize = 32
    public static let nonceSize = 12
    public static let tagSize = 16

    /// - Returns: the ciphertext and, after it, the tag.
    public static func seal(
        _ data: Data, using key: SymmetricKey, nonce: Data, authenticating associated: Data
    ) throws(CryptographyError) -> Data {
        let cipher = try Cipher(isSealing: true, key: key, nonce: nonce, associated: associated)
        let ciphertext = try cipher.update(data)
        try cipher.finish()
        return try ciphertext + cipher.tag()
    }

    /// - Parameter sealed: what `seal` returned.
    /// - Throws: `notAuthentic` if the key, the nonce, the associated data or a byte is not what was sealed.
    public static func open(
        _ sealed: Data, using key: SymmetricKey, nonce: Data, authenticating associated: Data
    ) throws(CryptographyError) -> Data {
        guard sealed.count >= tagSize else { throw .size }
        let cipher = try Cipher(isSealing: false, key: key, nonce: nonce, associated: associated)
        try cipher.expect(tag: sealed.suffix(tagSize))
        let data = try cipher.update(sealed.dropLast(tagSize))
        do { try cipher.finish() } catch { throw .notAuthentic }
        return data
    }
}

/// One operation of libcrypto (EVP_EncryptInit(3), AEAD interface).
private final class Cipher {
    /// Never freed.
    private nonisolated(unsafe) static let algorithm = EVP_CIPHER_fetch(LibCrypto.context, "ChaCha20-Poly1305", nil)

    private let context: OpaquePointer

    init(isSealing: Bool, key: SymmetricKey, nonce: Data, associated: Data) throws(CryptographyError) {
        guard key.withUnsafeBytes(\.count) == ChaChaPoly.keySize, nonce.count == ChaChaPoly.nonceSize else {
            throw .size
        }
        context = try LibCrypto.check(EVP_CIPHER_CTX_new())
        let started = key.withUnsafeBytes {
            EVP_CipherInit_ex2(context, Self.algorithm, $0.octets, Array(nonce), isSealing ? 1 : 0, nil)
        }
        try LibCrypto.check(started)
        var size: CInt = 0
        try LibCrypto.check(EVP_CipherUpdate(context, nil, &size, Array(associated), CInt(associated.count)))
    }

    /// Also overwrites the key in it.
    deinit { EVP_CIPHER_CTX_free(context) }

    func update(_ input: Data) throws(CryptographyError) -> Data {
        guard var size = CInt(exactly: input.count) else { throw .size }
        var output = Data(count: input.count)
        let updated = input.withUnsafeBytes { input in
            output.withUnsafeMutableBytes {
                EVP_CipherUpdate(context, $0.bindMemory(to: UInt8.self).baseAddress, &size, input.octets, size)
            }
        }
        try LibCrypto.check(updated)
        return output
    }

    func finish() throws(CryptographyError) {
        var (rest, size): ([UInt8], CInt) = ([0], 0)
        try LibCrypto.check(EVP_CipherFinal_ex(context, &rest, &size))
    }

    func tag() throws(CryptographyError) -> Data {
        var tag = [UInt8](repeating: 0, count: ChaChaPoly.tagSize)
        try LibCrypto.check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(tag.count), &tag))
        return Data(tag)
    }

    func expect(tag: Data) throws(CryptographyError) {
        var tag = Array(tag)
        try LibCrypto.check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(tag.count), &tag))
    }
}
