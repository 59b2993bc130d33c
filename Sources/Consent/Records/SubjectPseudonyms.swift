import Crypto
import Foundation

/// Names persons in the records of one log without their user numbers.
///
/// Each log has a key of its own, so that the pseudonyms of two logs have nothing in common, and whoever has a record
/// without the key cannot find the user by trying all numbers.
public struct SubjectPseudonyms: Sendable {
    public static let keySize = 32

    private let key: SymmetricKey

    /// - Returns: `nil` unless the key has 32 bytes.
    public init?(key: Data) {
        guard key.count == Self.keySize else { return nil }
        self.key = SymmetricKey(data: key)
    }

    /// `s-` and the first 16 hexadecimal digits of HMAC-SHA256 over the user's number in decimal digits.
    public func subject(ofUser user: UInt32) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Data(String(user).utf8), using: key)
        return "s-" + Hexadecimal.encode(code.prefix(8))
    }
}
