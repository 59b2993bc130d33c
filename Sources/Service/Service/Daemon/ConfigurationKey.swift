/// A key of a mapping in `config.yaml`.
struct ConfigurationKey: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init(stringLiteral value: String) { stringValue = value }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// A mapping that has no other keys than these: a misspelt one would otherwise be without effect.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for another key.
    func mapping(of known: Set<String>) throws -> KeyedDecodingContainer<ConfigurationKey> {
        let container = try container(keyedBy: ConfigurationKey.self)
        if let unknown = container.allKeys.first(where: { !known.contains($0.stringValue) }) {
            throw DecodingError.dataCorruptedError(
                forKey: unknown, in: container, debugDescription: "the keys here are \(known.sorted())")
        }
        return container
    }
}
