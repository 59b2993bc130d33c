import CCrypto

/// What failed in an algorithm of this module.
public enum CryptographyError: Error, Hashable {
    /// A key, a nonce or data has a size that the algorithm does not have.
    case size
    /// The data, the associated data, the nonce or the key is not the one that was sealed.
    case notAuthentic
    /// libcrypto failed; its description of the error.
    case library(String)
}

enum LibCrypto {
    /// This module's library context, so that what other libraries of the process load does not change it. Never freed; libcrypto
    /// locks what changes in it.
    nonisolated(unsafe) static let context: OpaquePointer = {
        // Neither openssl.cnf nor the environment chooses algorithms, and threads may still compute while the process exits.
        let settings = OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ATEXIT
        guard OPENSSL_init_crypto(UInt64(settings), nil) == 1, let context = OSSL_LIB_CTX_new() else {
            fatalError("libcrypto cannot start: \(failure())")
        }
        return context
    }()

    static func check(_ result: CInt) throws(CryptographyError) {
        guard result == 1 else { throw failure() }
    }

    static func check(_ object: OpaquePointer?) throws(CryptographyError) -> OpaquePointer {
        guard let object else { throw failure() }
        return object
    }

    /// The first error in this thread's queue; empties the queue.
    static func failure() -> CryptographyError {
        let code = ERR_get_error()
        ERR_clear_error()
        var text = [CChar](repeating: 0, count: 256)
        ERR_error_string_n(code, &text, text.count)
        return .library(text.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" })
    }
}

extension UnsafeRawBufferPointer {
    var octets: UnsafePointer<UInt8>? { bindMemory(to: UInt8.self).baseAddress }
}
