/// Why a word cannot be decoded: the words that can be.
public struct UnknownWord: Error, Sendable, Hashable {
    public let known: [String]
}

/// Enumerations of words in this package's modules are decoded so that the error has the words that are known: as the
/// `underlyingError` of `DecodingError.dataCorrupted`.
extension RawRepresentable where Self: CaseIterable & Decodable, RawValue == String {
    public init(from decoder: any Decoder) throws {
        let word = try decoder.singleValueContainer().decode(String.self)
        guard let value = Self(rawValue: word) else {
            let known = Self.allCases.map(\.rawValue)
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "The value is not one of \(known.joined(separator: ", ")).",
                    underlyingError: UnknownWord(known: known)))
        }
        self = value
    }
}
