import Crypto
import Foundation

/// The fields of a record, kept apart from the record's leaf so that they can be erased: the way of RFC 9901.
///
/// The leaf holds only the digest of the text; the salt keeps anyone who has the leaf from finding the fields by trying.
/// The text is the canonical JSON array `["<salt>",{…}]` (RFC 9901, section 4.2.2, but hashed as it is, not in base64url,
/// so that every tool can read it). Records of schema 1 have one text a field, `base64url(["<salt>","<name>",<value>])`
/// (section 4.2.1).
public struct Disclosure: Sendable, Hashable {
    public static let saltSize = 16
    /// In base64url without padding.
    private static let saltTextSize = 22

    public let fields: [String: JSONValue]
    public let text: Data

    public init(_ fields: [String: JSONValue]) {
        self.fields = fields
        var generator = SystemRandomNumberGenerator()
        let salt = withUnsafeBytes(of: (generator.next(), generator.next())) { Data($0) }
        text = Data(JSONValue.array([.string(Base64URL.encode(salt)), .object(fields)]).canonicalBytes)
    }

    /// - Returns: `nil` when the text is no disclosure as one of the schemas writes it.
    public init?(text: Data) {
        let isWhole = text.first == UInt8(ascii: "[")
        guard text.count <= JSONValue.maximumSize,
            let json = isWhole ? text : Base64URL.decode(String(decoding: text, as: UTF8.self)),
            let parts = JSONValue(canonical: json)?.array, let salt = parts.first?.string,
            salt.utf8.count == Self.saltTextSize, Base64URL.decode(salt) != nil
        else { return nil }
        if isWhole, parts.count == 2, let fields = parts[1].object {
            self.fields = fields
        } else if !isWhole, parts.count == 3, let name = parts[1].string {
            fields = [name: parts[2]]
        } else {
            return nil
        }
        self.text = text
    }

    public var digest: String { Self.digest(of: text) }

    /// base64url of the SHA-256 of the text.
    public static func digest(of text: Data) -> String {
        var bytes: [UInt8] = []
        appendDigest(of: text, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Writes the digest's UTF-8.
    static func appendDigest(of text: Data, to bytes: inout [UInt8]) {
        var hash = SHA256()
        text.withUnsafeBytes { hash.update(bufferPointer: $0) }
        hash.finalize().withUnsafeBytes { Base64URL.append($0, to: &bytes) }
    }
}
