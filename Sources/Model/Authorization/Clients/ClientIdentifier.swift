/// An application's bundle identifier (`CFBundleIdentifier`): 1 to 155 of the characters A–Z, a–z, 0–9, `-` and `.`.
public struct ClientIdentifier: RawRepresentable, Sendable, Hashable, Codable, CustomStringConvertible {
    public let rawValue: String

    /// - Returns: `nil` when the text is not a bundle identifier. The set of characters is Apple's; the bound keeps a
    ///   hostile manifest from filling prompts and records.
    public init?(rawValue: String) {
        guard (1...155).contains(rawValue.utf8.count), rawValue.utf8.first != UInt8(ascii: "."),
            rawValue.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        self.rawValue = rawValue
    }

    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let identifier = Self(rawValue: text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "not a bundle identifier"))
        }
        self = identifier
    }

    public var description: String { rawValue }

    /// The identifier of a program that no manifest describes. It can be named in refusals and records, never granted.
    public static func unregistered(executable name: String) -> ClientIdentifier {
        let kept = String(decoding: name.utf8.filter(isAllowed).prefix(100), as: UTF8.self)
        return ClientIdentifier(rawValue: "unregistered.\(kept)") ?? ClientIdentifier(unchecked: "unregistered")
    }

    private init(unchecked rawValue: String) { self.rawValue = rawValue }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
