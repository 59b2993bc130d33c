import CCrypto

/// HMAC-SHA-256 (RFC 2104).
public enum HMACSHA256 {
    public static func authenticationCode(for data: some Sequence<UInt8>, using key: SymmetricKey) -> SHA256.Digest {
        let data = Array(data)
        var code = SHA256.Digest()
        let result = key.withUnsafeBytes { key in
            code.withUnsafeMutableBytes {
                EVP_Q_mac(
                    LibCrypto.context, "HMAC", nil, "SHA256", nil, key.baseAddress, key.count, data, data.count,
                    $0.bindMemory(to: UInt8.self).baseAddress, $0.count, nil)
            }
        }
        guard result != nil else { fatalError("libcrypto has no HMAC: \(LibCrypto.failure())") }
        return code
    }
}
