import Crypto
import Foundation
import Synchronization

/// Names persons in the records of one log without their user numbers.
///
/// Each log has a key of its own, so that the pseudonyms of two logs have nothing in common, and whoever has a record
/// without the key cannot find the user by trying all numbers.
public final class SubjectPseudonyms: Sendable {
    public static let keySize = 32

    private let key: SymmetricKey
    /// A machine has few persons, and each record names one.
    private let known = Mutex<[UInt32: String]>([:])

    /// - Returns: `nil` unless the key has 32 bytes.
    public init?(key: Data) {
        guard key.count == Self.keySize else { return nil }
        self.key = SymmetricKey(data: key)
    }

    /// `s-` and the first 16 hexadecimal digits of HMAC-SHA256 over the user's number in decimal digits.
    public func subject(ofUser user: UInt32) -> String {
        known.withLock { known in
            if let subject = known[user] { return subject }
            let code = HMAC<SHA256>.authenticationCode(for: Data(String(user).utf8), using: key)
            let subject = "s-" + Hexadecimal.encode(code.prefix(8))
            if known.count < 1024 { known[user] = subject }
            return subject
        }
    }
}
