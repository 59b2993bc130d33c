import Crypto
import Foundation

/// One field of a record, kept apart from the record's leaf so that it can be erased: the way of RFC 9901, section 4.2.
///
/// The leaf holds only the digest. The salt keeps anyone who has the leaf from finding the value by trying.
public struct Disclosure: Sendable, Hashable {
    public static let saltSize = 16

    public let name: String
    public let value: JSONValue
    /// base64url of the JSON array `[salt, name, value]`; the salt is 128 bits in base64url.
    public let encoded: String

    public init(name: String, value: JSONValue, using randomness: inout any RandomNumberGenerator) {
        let salt = Data((0..<Self.saltSize).map { _ in UInt8.random(in: .min ... .max, using: &randomness) })
        let array = JSONValue.array([.string(Base64URL.encode(salt)), .string(name), value])
        self.name = name
        self.value = value
        self.encoded = Base64URL.encode(Data(array.canonical.utf8))
    }

    /// - Returns: `nil` when the text is no disclosure as this type writes it.
    public init?(encoded: String) {
        guard encoded.utf8.count <= JSONValue.maximumSize, let data = Base64URL.decode(encoded),
            case .array(let parts)? = JSONValue(canonical: data), parts.count == 3, let salt = parts[0].string,
            Base64URL.decode(salt)?.count == Self.saltSize, let name = parts[1].string
        else { return nil }
        self.name = name
        self.value = parts[2]
        self.encoded = encoded
    }

    public var digest: String { Self.digest(of: Data(encoded.utf8)) }

    /// base64url of the SHA-256 of the encoded disclosure.
    static func digest(of encoded: Data) -> String { Base64URL.encode(Data(SHA256.hash(data: encoded))) }
}
