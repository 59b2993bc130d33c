import Foundation

/// The socket's JSON: dates as ISO 8601 in UTC with milliseconds, and sorted keys, so that answers can be compared.
public enum JSONCoding {
    public static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.formatted(style))
        }
        return encoder
    }

    public static func decoder() -> JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            guard let date = date(try container.decode(String.self)) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no time in ISO 8601")
            }
            return date
        }
        return decoder
    }

    /// A date as it is in JSON.
    public static func text(_ date: Date) -> String { date.formatted(style) }

    /// A date in ISO 8601 with an offset, with or without a fraction of a second.
    public static func date(_ text: String) -> Date? {
        // Foundation takes 30 February for 2 March, and ignores what follows the offset.
        let (day, zone) = (text.prefix(10), text.dropFirst(19).drop { $0.isNumber || $0 == "." })
        guard (try? dayStyle.parse(String(day)).formatted(dayStyle)) == String(day),
            zone == "Z" || zone.count <= 6 && "+-".contains(zone.prefix(1)) && !zone.isEmpty
        else { return nil }
        return [Date.ISO8601FormatStyle(), style].lazy.compactMap { try? $0.parse(text) }.first
    }

    private static let dayStyle = Date.ISO8601FormatStyle().year().month().day()
    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}

extension Encoder {
    /// Encodes an object; a field without a value is left out.
    package func encode<Key: CodingKey>(_ fields: KeyValuePairs<Key, (any Encodable)?>) throws {
        var container = container(keyedBy: Key.self)
        for (key, value) in fields { if let value { try container.encode(value, forKey: key) } }
    }
}

extension KeyedDecodingContainer {
    /// A field that the object must have.
    package subscript<Value: Decodable>(key: Key) -> Value { get throws { try decode(Value.self, forKey: key) } }

    /// An event's type.
    ///
    /// - Throws: `UnknownEvent` if it is not an event of this version.
    package func known<Kind: RawRepresentable<String>>(_ key: Key) throws -> Kind {
        guard let kind = Kind(rawValue: try self[key]) else { throw UnknownEvent() }
        return kind
    }
}

/// Thrown while an event is decoded whose type this version does not know; the event is skipped.
package struct UnknownEvent: Error {
    package init() {}
}
