import Foundation

/// How JSON goes over the socket: dates as ISO 8601 in UTC with milliseconds, keys in order, so that answers can be compared.
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
            let text = try decoder.singleValueContainer().decode(String.self)
            return try Date(text, strategy: style)
        }
        return decoder
    }

    /// A time as it is in JSON.
    public static func text(_ date: Date) -> String { date.formatted(style) }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
